import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { startService } from '../support/service.ts'
import { anyVersion, apiOf, hardText, newName, readBack } from '../support/version-body.ts'

const service = await startService()
const admin = await service.siteAdmin()
const api = await apiOf(admin)

// Knows nothing of the schema: text as it is, lists of one as the one.
const reader = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  ignoreAttributes: false,
  parseAttributeValue: false,
})

/** JSON as a reader of XML sees it who does not know the schema. */
function asSeenInXml(value: unknown): unknown {
  if (value === null) return { '@_xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance', '@_xsi:nil': 'true' }
  if (typeof value !== 'object') return String(value)
  const members = Object.entries(value)
    .filter(([, member]) => !(Array.isArray(member) && member.length === 0))
    .map(([key, member]) => {
      const items = [member].flat().map(asSeenInXml)
      return [key, items.length === 1 ? items[0] : items]
    })
  return members.length === 0 ? '' : Object.fromEntries(members)
}

/** Without what the service assigns or makes of the Name. */
function comparable(version: object): unknown {
  const own = ['APIVersionID', 'Name', 'Created', 'Updated']
  const kept = Object.fromEntries(Object.entries(version).filter(([key]) => !own.includes(key)))
  return JSON.parse(JSON.stringify(kept, (key, value) => (key === 'InterfaceQName' ? undefined : value)))
}

test('XML to JSON to XML loses nothing that the schema allows', async () => {
  await fc.assert(
    fc.asyncProperty(anyVersion, hardText, async (body, name) => {
      const sent = { ...body, Name: name + newName() }
      const added = await admin.post(api.versions, sent)
      const first = (await readBack(admin, added)).json
      expect(first).toMatchObject(sent)
      const document = (await readBack(admin, added, 'application/xml')).text
      const copied = await admin.post(
        api.versions,
        document.replace(/<Name>.*?<\/Name>/s, `<Name>${newName()}</Name>`),
        {
          'content-type': 'application/xml',
        },
      )
      expect(comparable((await readBack(admin, copied)).json)).toEqual(comparable(first))
    }),
    { numRuns: 150 },
  )
}, 30_000)

test('an XML answer is well-formed for another reader and holds the same values as the JSON', async () => {
  await fc.assert(
    fc.asyncProperty(anyVersion, async (body) => {
      const added = await admin.post(api.versions, { ...body, Name: newName() })
      const asJson = (await readBack(admin, added)).json
      const document = (await readBack(admin, added, 'application/xml')).text
      expect(XMLValidator.validate(document)).toBe(true)
      expect(reader.parse(document)).toEqual({
        '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
        APIVersion: asSeenInXml(asJson),
      })
    }),
    { numRuns: 100 },
  )
}, 30_000)
