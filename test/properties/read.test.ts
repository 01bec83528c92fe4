import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

test('anyone reads the tenant, its admin groups and the version, whatever cookie comes along', async () => {
  const service = await startService({ TENANT_NAME: 'Acme & Sons' })
  const expected = {
    TenantID: 'platform',
    TenantName: 'Acme & Sons',
    SiteAdminGroupID: 'tenantadmin.platform',
    BusinessAdminGroupID: 'businessadmin.platform',
    Version: version,
  }
  const { status, json } = await service.client().get('/api/properties')
  expect([status, json]).toEqual([200, expected])
  const bad = await service.client().get('/api/properties', { cookie: 'PlatformAuthToken_platform=x' })
  expect([bad.status, bad.json]).toEqual([200, expected])
  const xml = await service.client().get('/api/properties', { accept: 'text/xml' })
  const members = Object.entries(expected).map(([name, value]) => `<${name}>${value.replace('&', '&amp;')}</${name}>`)
  expect(xml.text).toBe(
    `<?xml version="1.0" encoding="UTF-8"?><TenantProperties>${members.join('')}</TenantProperties>`,
  )
})

test('a tenant without a name has its id', async () => {
  const service = await startService({ FEDMEMBER_ID: 'acme' })
  expect((await service.client().get('/api/properties')).json).toMatchObject({
    TenantID: 'acme',
    TenantName: 'acme',
    SiteAdminGroupID: 'tenantadmin.acme',
  })
})
