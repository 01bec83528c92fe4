import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { builtProgram } from '../support/built.ts'
import { sendFile } from '../support/form.ts'
import { freePort } from '../support/free-port.ts'
import { directoryBody, openIdBody } from '../support/login-domains.ts'
import { it, leaks, signedIn } from '../support/process.ts'

// What the program loads only when somebody asks for it is in files of its own.

const password = 'a password that was configured'

afterAll(() => {
  expect(leaks()).toEqual([])
})

it('finds what it loads later on: its own description, the reading thread, and both ways to sign in elsewhere', async ({
  start,
}) => {
  const url = await start({ ADMIN_PASSWORD: password }).url
  const client = await signedIn(url, password)

  const { info, paths } = (await client.get('/openapi.json')).json
  const { Version } = (await client.get('/api/properties')).json
  expect(info.version).toBe(Version)
  expect(Version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(paths['/api/apis'].post.requestBody.content['application/json'].examples).toHaveProperty('api')

  const file = await sendFile(client, 'openapi: 3.0.0\ninfo: {title: Small, version: 1.0}\npaths: {}\n')
  expect(file.json.ServiceDescriptorDocument[0].ServiceName).toEqual(['Small'])

  const nobody = `127.0.0.1:${await freePort()}`
  const failureOf = async (body: object) => {
    const added = await client.post('/api/login/domains', body)
    const tried = await client.post(`/api/login/domains/${added.json.LoginDomainID}/test`)
    return tried.json.Step.at(-1).Failure
  }
  const { Directory } = directoryBody()
  const { OpenID } = openIdBody()
  const directory = directoryBody({ Directory: { ...Directory, Url: `ldap://${nobody}` } })
  const provider = openIdBody({ OpenID: { ...OpenID, Issuer: `http://${nobody}` } })
  expect(await failureOf(directory)).toContain('ECONNREFUSED')
  expect(await failureOf(provider)).toContain('ECONNREFUSED')
})

test('the licences of the packages in it stand beside it', async () => {
  const built = await builtProgram(inject('cluster').run)
  const licences = (await readFile(join(built, 'licences.txt'), 'utf8')).split(/\n\n(?=## \S+ \d)/)
  for (const name of ['fastify', '@fastify/cookie', 'pg', 'ldapts', 'js-yaml']) {
    const licence = licences.find((text) => text.startsWith(`## ${name} `))
    expect(licence, name).toMatch(/Permission is hereby granted, free of charge/)
  }
  expect(licences.filter((text) => !text.includes('\n\n'))).toEqual([])
  expect(licences.filter((text) => /^## (vitest|rolldown) /.test(text))).toEqual([])
})
