import fc from 'fast-check'
import ICAL from 'ical.js'
import { beforeAll, expect, test } from 'vitest'
import { addTwoVersions, deprecate, deprecationOf } from '../support/deprecations.ts'
import { nextPage } from '../support/lists.ts'
import { addManyApis } from '../support/many-apis.ts'
import { startService } from '../support/service.ts'
import { hardText } from '../support/version-body.ts'

const address = 'https://apis.example.com'
const service = await startService({ PUBLIC_URL: address })
const admin = await service.siteAdmin()
const calendar = { accept: 'text/calendar' }

interface Event {
  uid: string
  start: string
  stamp: string
  summary: string
  description: string
  url: string
}

async function read(query = ''): Promise<Event[]> {
  const { status, headers, bytes, text } = await admin.get(`/api/deprecations${query}`, calendar)
  expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  expectLines(bytes)
  const whole = new ICAL.Component(ICAL.parse(text))
  expect(whole.name).toBe('vcalendar')
  expect(whole.getFirstPropertyValue('version')).toBe('2.0')
  return whole.getAllSubcomponents('vevent').map((event) => ({
    uid: String(event.getFirstPropertyValue('uid')),
    start: String(event.getFirstPropertyValue('dtstart')),
    stamp: String(event.getFirstPropertyValue('dtstamp')),
    summary: String(event.getFirstPropertyValue('summary')),
    description: String(event.getFirstPropertyValue('description')),
    url: String(event.getFirstPropertyValue('url')),
  }))
}

/** Lines end with CR LF, hold 75 octets at most, and each is whole UTF-8. */
function expectLines(bytes: Buffer): void {
  const lines = bytes.toString('latin1').split('\r\n')
  expect(lines.pop()).toBe('')
  for (const line of lines) {
    expect(line).not.toMatch(/[\r\n]/)
    expect(line.length).toBeLessThanOrEqual(75)
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(line, 'latin1'))).not.toThrow()
  }
}

let ids: { older: string; newer: string }
beforeAll(async () => {
  ids = await addTwoVersions(admin, { Name: 'Pets; dogs, cats' })
})

test('an event for each date, with what there is to say', async () => {
  await deprecate(admin, ids.older, {
    Deprecated: '2026-12-01T00:00:00Z',
    Sunset: '2027-06-30T22:00:01Z',
    SuccessorVersionID: ids.newer,
    Notes: 'First.\r\nSecond; third, \\n.',
  })
  const url = address + deprecationOf(ids.older)
  const description = [
    'Pets; dogs, cats 1.0 is deprecated since 2026-12-01T00:00:00.000Z.',
    'It goes at 2027-06-30T22:00:01.000Z.',
    `Its successor: ${address}/api/apis/versions/${ids.newer}`,
    'First.',
    'Second; third, \\n.',
  ].join('\n')
  const uid = ids.older.replace('.platform', '')
  const events = await read()
  const [{ stamp } = { stamp: '' }] = events
  expect(events).toEqual([
    {
      uid: `${uid}-deprecated@platform`,
      start: '2026-12-01T00:00:00Z',
      summary: 'Pets; dogs, cats 1.0 is deprecated',
      stamp,
      description,
      url,
    },
    {
      uid: `${uid}-sunset@platform`,
      start: '2027-06-30T22:00:01Z',
      summary: 'Pets; dogs, cats 1.0 goes',
      stamp,
      description,
      url,
    },
  ])
  expect(Math.abs(Date.parse(stamp) - Date.now())).toBeLessThan(60_000)
  expect(await read()).toEqual(events)
})

test('no name and no note breaks out of its line, whatever is in it', async () => {
  const name = hardText.map((text) => `${text}.`)
  const long = fc.oneof(hardText, fc.string({ unit: fc.constantFrom('é', '😀', 'a', ',', '\n'), maxLength: 300 }))
  await fc.assert(
    fc.asyncProperty(name, name, long, async (Name, version, Notes) => {
      const { older } = await addTwoVersions(admin, { Name }, { Name: version })
      expect((await deprecate(admin, older, { Deprecated: '2999-01-01T00:00:00Z', Notes })).status).toBe(200)
      const events = await read('?count=1')
      const plain = (text: string) => text.replace(/\r\n?/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, '')
      expect(events).toHaveLength(1)
      expect(events[0]?.summary).toBe(plain(`${Name} ${version} is deprecated`))
      expect(events[0]?.description).toContain(plain(Notes))
      await admin.send('DELETE', deprecationOf(older))
    }),
    { numRuns: 25 },
  )
})

test('a calendar has a hundred versions, and leads on to more', async () => {
  await addManyApis(service.connection, { count: 120, name: "'many'", visibility: "'Public'", words: "array['many']" })
  await service.db
    .updateTable('api_version')
    .set({ deprecated: new Date('2020-01-01'), deprecation_changed: new Date('2020-01-01') })
    .where('deprecated', 'is', null)
    .where('id', 'not in', (query) => query.selectFrom('version_history').select('version_id'))
    .execute()
  const days = async (query: string) => (await read(query)).filter(({ uid }) => uid.includes('-deprecated@')).length
  expect([await days(''), await days('?count=7')]).toEqual([100, 7])
  const next = nextPage(await admin.get('/api/deprecations', calendar)) as string
  expect(await days(next.slice(next.indexOf('?')))).toBe(21)
})
