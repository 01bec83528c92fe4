import { expect, test } from 'vitest'
import { exampleApi, exampleApiXml, exampleVersion, exampleVersionXml } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { apiOf, newName, readBack } from '../support/version-body.ts'

const service = await startService()
const admin = await service.siteAdmin()
const api = await apiOf(admin)

const xml = { 'content-type': 'application/xml' }
const post = (document: string | Buffer) => admin.post(api.versions, document, xml)
const stored = async (document: string) => (await readBack(admin, await post(document))).json
const version = (members: string) => `<APIVersion><Name>${newName()}</Name>${members}</APIVersion>`

test('element order in requests does not matter, nor where the items of a list stand', async () => {
  const read = await stored(
    `<APIVersion><Tag>b</Tag><Policies/><Operations><Operation><Path>/p</Path><Input><Type>path</Type><Name>i</Name></Input>
    <Name>o</Name></Operation></Operations><Tag>a</Tag><Description>d</Description><Name>${newName()}</Name><Tag>b</Tag></APIVersion>`,
  )
  expect(read).toMatchObject({
    Description: 'd',
    Tag: ['b', 'a', 'b'],
    Operations: { Operation: [{ Name: 'o', Path: '/p', Input: [{ Name: 'i', Type: 'path' }] }] },
  })
})

test.each([
  ['a default one', '<APIVersion xmlns="urn:any"><Name>NAME</Name><Tag>t</Tag></APIVersion>'],
  ['a prefix', '<p:APIVersion xmlns:p="urn:any"><p:Name>NAME</p:Name><p:Tag>t</p:Tag></p:APIVersion>'],
  [
    'several',
    '<a:APIVersion xmlns:a="urn:a" xmlns="urn:b"><Name>NAME</Name><c:Tag xmlns:c="urn:c">t</c:Tag></a:APIVersion>',
  ],
  [
    'attributes of a namespace',
    '<APIVersion xmlns:x="http://www.w3.org/2001/XMLSchema-instance" x:schemaLocation="a b"><Name xml:space="preserve">NAME</Name><Tag>t</Tag></APIVersion>',
  ],
])('any namespace is accepted in requests: %s', async (_which, document) => {
  const name = newName()
  expect(await stored(document.replace('NAME', name))).toMatchObject({ Name: name, Tag: ['t'] })
})

test('no namespace is written', async () => {
  const document = (await readBack(admin, await post(version('<Tag>t</Tag>')), 'application/xml')).text
  expect(document).toContain('<Tag>t</Tag>')
  expect(document).not.toContain('xmlns')
})

const nil = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil'

test.each([
  ['CDATA', '<Description>a<![CDATA[<b> & ]]]]><![CDATA[>]]></Description>', { Description: 'a<b> & ]]>' }],
  ['comments', '<!-- - --><Description>a<!-- <b> -->b</Description><!--x-->', { Description: 'ab' }],
  ['processing instructions', '<?p <q>?><Description>a<?p b?>c</Description>', { Description: 'ac' }],
  ['the five entities', '<Description>&lt;&gt;&amp;&quot;&apos;</Description>', { Description: `<>&"'` }],
  ['numeric entities', '<Description>&#65;&#x1F600;&#13;&#10;</Description>', { Description: 'A😀\r\n' }],
  ['an entity written as text', '<Description>&amp;lt;&#38;amp;</Description>', { Description: '&lt;&amp;' }],
  ['blanks around text', '<Description> 007 \n</Description>', { Description: ' 007 \n' }],
  ['line ends', '<Description>a\r\nb\rc</Description>', { Description: 'a\nb\nc' }],
  ['empty text', '<Description/><Type></Type>', { Description: '', Type: '' }],
  ['null', `<ProductionEndpoint ${nil}="true"/>`, { ProductionEndpoint: null }],
  ['null as 1', `<ProductionEndpoint ${nil}="1"> </ProductionEndpoint>`, { ProductionEndpoint: null }],
  [
    'not null',
    `<ProductionEndpoint ${nil}="false">http://a.b</ProductionEndpoint>`,
    { ProductionEndpoint: 'http://a.b' },
  ],
  [
    'blanks around booleans',
    '<SandboxAnonymousAccessAllowed>\n true </SandboxAnonymousAccessAllowed>',
    { SandboxAnonymousAccessAllowed: true },
  ],
  [
    'empty wrappers',
    '<Operations/><Endpoints> </Endpoints>',
    { Operations: { Operation: [] }, Endpoints: { Endpoint: [] } },
  ],
  [
    'missing wrappers',
    '<TargetAPI/>',
    {
      Tag: [],
      Operations: { Operation: [] },
      Endpoints: { Endpoint: [] },
      Policies: { Policy: [] },
      TargetAPI: { Operations: { Operation: [] }, Endpoints: { Endpoint: [] }, Policies: { Policy: [] } },
    },
  ],
])('%s in a request: read as meant', async (_which, members, expected) => {
  expect(await stored(version(members))).toMatchObject(expected)
})

test.each([
  '<RatingSummary><Six>5</Six></RatingSummary>',
  '<RatingSummary><Six of="seven">5</Six></RatingSummary>',
  '<RatingSummary of="five">5</RatingSummary>',
  '<Created>today</Created><Updated><now/>or later</Updated>',
  '<APIID>x</APIID><APIVersionID><Name>y</Name></APIVersionID>',
  `<APIID ${nil}="true">x</APIID>`,
  '<Operations><Operation><Name>o</Name><InterfaceQName><a><b/></a>c</InterfaceQName></Operation></Operations>',
])('what the service assigns is ignored, whatever it holds: %s', async (members) => {
  const { Name, APIID, RatingSummary } = await stored(version(members))
  expect([Name, APIID, RatingSummary.Five]).toEqual([expect.stringContaining('version'), expect.any(String), 0])
})

test('a list is emptied by one item that is nil, and kept where it is absent', async () => {
  const { APIID, LatestVersionID } = (await admin.post('/api/apis', { ...exampleApi(), Tag: ['a', 'b'] })).json
  await admin.send('PUT', `/api/apis/versions/${LatestVersionID}/info`, { body: { Tags: ['a', 'b'] } })
  const put = async (body: string) =>
    (await admin.send('PUT', `/api/apis/${APIID}`, { headers: xml, body: `<API>${body}</API>` })).json
  const empty = `<Tag ${nil}="true"/>`
  expect((await put('<Description>d</Description>')).Tag).toEqual(['a', 'b'])
  expect((await put(`<APIVersion>${empty}</APIVersion>`)).APIVersion.Tag).toEqual([])
  expect((await put(empty)).Tag).toEqual([])
  expect((await admin.get(`/api/apis/${APIID}`)).json.Tag).toEqual([])
})

test('an XML declaration and a byte order mark are accepted', async () => {
  await stored(`\ufeff<?xml version='1.0' encoding='utf-8' standalone='yes'?>\n${version('')}\n<!-- end -->\n`)
})

test('examples/version.xml is examples/version.json', async () => {
  const document = exampleVersionXml().replace('<Name>1.0<', `<Name>${newName()}<`)
  const { Name: _1, ...expected } = exampleVersion()
  expect(await stored(document)).toMatchObject(expected)
})

test('examples/api.xml is examples/api.json', async () => {
  const added = await admin.post('/api/apis', exampleApiXml(), xml)
  expect(added.status, added.text).toBe(200)
  expect((await admin.get(`/api/apis/${added.json.APIID}?includeDefaultVersion=true`)).json).toMatchObject(exampleApi())
})

test('the root element is the name of the type', async () => {
  const added = (await admin.post('/api/apis', exampleApi())).json
  const me = (await admin.get('/api/login/status')).json.userFDN
  const roots = {
    [`/api/apis/${added.APIID}`]: 'API',
    [`/api/apis/versions/${added.LatestVersionID}`]: 'APIVersion',
    [`/api/users/${me}`]: 'User',
    [`/api/users/${me}/logindomain`]: 'LoginDomain',
    '/api/users/none': 'Fault',
  }
  for (const [path, root] of Object.entries(roots)) {
    const { text } = await admin.get(path, { accept: 'application/xml' })
    expect(text).toMatch(new RegExp(`^<[?]xml version="1.0" encoding="UTF-8"[?]><${root}>.*</${root}>$`, 's'))
  }
})

const doctype = (inside: string) => `<!DOCTYPE APIVersion ${inside}><APIVersion><Name>&a;</Name></APIVersion>`
const laughs = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `<!ENTITY a${n} "${`&a${n - 1};`.repeat(10)}">`).join('')
const named = (rest: string) => `<APIVersion><Name>refused</Name>${rest}`

test.each<[string, string | Buffer, RegExp]>([
  ['a DOCTYPE', `<!DOCTYPE APIVersion>${named('</APIVersion>')}`, /DOCTYPE.*line 1, column \d+/],
  ['billion laughs', doctype(`[<!ENTITY a0 "ha">${laughs}<!ENTITY a "&a9;">]`), /DOCTYPE.*line 1/],
  ['an external entity', doctype('[<!ENTITY a SYSTEM "file:///etc/passwd">]'), /DOCTYPE.*line 1/],
  ['an external DTD', doctype('SYSTEM "http://127.0.0.1:9/a.dtd"'), /DOCTYPE.*line 1/],
  ['an undefined entity', named('\n<Tag>&nbsp;</Tag></APIVersion>'), /line 2, column \d+: undefined entity/],
  ['an entity without end', named('<Tag>a & b</Tag></APIVersion>'), /line 1, column \d+/],
  ['two roots', `${named('</APIVersion>')}${named('</APIVersion>')}`, /line 1, column \d+/],
  ['text behind the root', named('</APIVersion>\ntext'), /line 2, column \d+/],
  ['text before the root', `text${named('</APIVersion>')}`, /line 1, column \d+/],
  ['no root', '<!-- nothing -->', /line 1, column \d+/],
  ['another root', '<API><Name>refused</Name></API>', /root element must be APIVersion.*line 1/],
  ['a root in other letters', '<apiversion><Name>refused</Name></apiversion>', /root element must be APIVersion/],
  ['an unclosed element', named('\n\n'), /line 3, column \d+: unclosed tag: APIVersion/],
  ['mismatched tags', named('<Tag>a</Type></APIVersion>'), /line 1, column \d+/],
  ['a control character', named('<Tag>\u0001</Tag></APIVersion>'), /line 1, column \d+/],
  ['a NUL', named('<Tag>\0</Tag></APIVersion>'), /line 1, column \d+/],
  ['a noncharacter', named('<Tag>\uffff</Tag></APIVersion>'), /line 1, column \d+/],
  ['the entity of NUL', named('<Tag>&#0;</Tag></APIVersion>'), /line 1, column \d+/],
  ['the entity of a control character', named('<Tag>&#x1;</Tag></APIVersion>'), /line 1, column \d+/],
  ['the entity of a surrogate', named('<Tag>&#xD800;</Tag></APIVersion>'), /line 1, column \d+/],
  ['another encoding', `<?xml version="1.0" encoding="ISO-8859-1"?>${named('</APIVersion>')}`, /UTF-8.*line 1/],
  ['another XML version', `<?xml version="1.1"?>${named('</APIVersion>')}`, /XML version.*line 1/],
  ['UTF-16', Buffer.from(`\ufeff${named('</APIVersion>')}`, 'utf16le'), /not well-formed UTF-8/],
  ['UTF-16 without a mark', Buffer.from(named('</APIVersion>'), 'utf16le'), /line 1, column \d+/],
  ['bad UTF-8', Buffer.from(named('<Tag>\xe9</Tag></APIVersion>'), 'latin1'), /not well-formed UTF-8/],
  [
    'nil among items',
    named(`<Tag ${nil}="true"/><Tag>a</Tag></APIVersion>`),
    /Tag is nil, which is no item, but occurs twice \(line 1, column \d+/,
  ],
  [
    'a second list',
    named('<Operations><Operation/><Operation><Path><b/></Path></Operation></Operations></APIVersion>'),
    /\/Operations\/Operation\/1\/Path must hold text, not the element b/,
  ],
  [
    'mismatched tags in what is ignored',
    named('<RatingSummary><a></RatingSummary></APIVersion>'),
    /line 1, column \d+/,
  ],
  ['depth in what is ignored', named(`<Created>${'<a>'.repeat(40)}`), /deeper than 32.*line 1, column \d+/],
  ['many elements in what is ignored', named(`<Created>${'<a/>'.repeat(20_000)}`), /more than 20000 elements/],
  ['depth 65', `${'<APIVersion>'.repeat(65)}${'</APIVersion>'.repeat(65)}`, /\/APIVersion is not a member/],
  ['20,000 open elements', '<APIVersion>'.repeat(20_000), /\/APIVersion is not a member/],
  ['25,000 elements', named(`${'<Tag/>'.repeat(25_000)}</APIVersion>`), /more than 20000 elements.*line 1, column \d+/],
  ['an unknown attribute', named('\n<Tag kind="a">b</Tag></APIVersion>'), /attribute kind, which is unknown.*line 2/],
  [
    'nil without its namespace',
    named('<ProductionEndpoint nil="true"/></APIVersion>'),
    /attribute nil, which is unknown/,
  ],
  ['an undeclared prefix', named('<x:Tag>a</x:Tag></APIVersion>'), /line 1, column \d+/],
  ['the same attribute twice', named('<Tag xml:lang="a" xml:lang="b"/></APIVersion>'), /line 1, column \d+/],
  ['an element twice', named('\n<Name>again</Name></APIVersion>'), /Name occurs twice.*line 2/],
  ['a wrapper twice', named('<Policies/><Policies/></APIVersion>'), /Policies occurs twice/],
  ['text where elements belong', named('<Operations>none</Operations></APIVersion>'), /Operations must hold elements/],
  [
    'elements where text belongs',
    named('<Type><b>x</b></Type></APIVersion>'),
    /\/Type must hold text, not the element b/,
  ],
  [
    'nil with text',
    named(`<ProductionEndpoint ${nil}="true">http://a</ProductionEndpoint></APIVersion>`),
    /nil but has/,
  ],
])('malformed XML: 400 that names the place, nothing stored: %s', async (_which, document, place) => {
  const before = await api.latest()
  const answer = await post(document)
  expect(answer.status).toBe(400)
  expect(answer.json.faultstring).toMatch(place)
  expect(await api.latest()).toBe(before)
})

test.each([
  ['<Surprise/>', '/Surprise'],
  ['<name>a</name>', '/name'],
  ['<Operations><Operation><Name>a</Name><Body>b</Body></Operation></Operations>', '/Operations/Operation/0/Body'],
  [
    '<Operations><Operation><Name>a</Name></Operation><Operation><Input/><Input><Foo/></Input></Operation></Operations>',
    '/Operations/Operation/1/Input/1/Foo',
  ],
  [
    '<TargetAPI><Endpoints><Endpoint><Port/></Endpoint></Endpoints></TargetAPI>',
    '/TargetAPI/Endpoints/Endpoint/0/Port',
  ],
  ['<__proto__><x/></__proto__>', '/__proto__'],
  ['<constructor/>', '/constructor'],
  ['<toString>a</toString>', '/toString'],
  ['<Operations><hasOwnProperty/></Operations>', '/Operations/hasOwnProperty'],
])('an element that the schema does not know: 400 that names it, nothing stored: %s', async (members, pointer) => {
  const before = await api.latest()
  const answer = await post(named(`${members}</APIVersion>`))
  expect(answer.status).toBe(400)
  expect(answer.json.errors).toEqual([{ pointer, message: 'is unknown' }])
  expect(answer.json.faultstring).toContain(pointer)
  expect(answer.json.faultstring).toMatch(/line 1, column \d+/)
  expect(await api.latest()).toBe(before)
})

test.each([
  ['an element', (name: string) => `<${name}/></APIVersion>`],
  ['an element within text', (name: string) => `<Type><${name}/></Type></APIVersion>`],
  ['an attribute', (name: string) => `<Type ${name}="a"/></APIVersion>`],
  ['a prefix that is bound to nothing', (name: string) => `<Created><${name}:a/></Created></APIVersion>`],
])('a fault is short, however long the name of %s is', async (_which, members) => {
  const answer = await post(named(members('n'.repeat(50_000))))
  expect(answer.status).toBe(400)
  expect(answer.text.length).toBeLessThan(1000)
})

test.each([
  ['<Operations>none</Operations>', '/Operations', 'must hold elements, not text'],
  ['<Tag>a</Tag><Tag><b/></Tag>', '/Tag/1', 'must hold text, not the element b'],
  ['<Policies/><Policies/>', '/Policies', 'occurs twice'],
  [`<Tag ${nil}="true"/><Tag>a</Tag>`, '/Tag', 'is nil, which is no item, but occurs twice'],
  [`<Tag>a</Tag><Tag ${nil}="true">b</Tag>`, '/Tag/1', 'is nil but has content'],
  [
    '<Operations><Operation><Name of="what">a</Name></Operation></Operations>',
    '/Operations/Operation/0/Name',
    'has an attribute of, which is unknown',
  ],
  ['text', '', 'must hold elements, not text'],
])('what cannot stand where it does: 400 with a pointer to it: %s', async (members, pointer, message) => {
  const { status, json } = await post(named(`${members}</APIVersion>`))
  expect([status, json.errors]).toEqual([400, [{ pointer, message }]])
  expect(json.faultstring).toContain(`${pointer || 'APIVersion'} ${message}`)
})

test.each([
  [`<Name ${nil}="true"/>`, '/Name'],
  [`<Name>a</Name><Tag>a</Tag><Tag ${nil}="true"/>`, '/Tag/1'],
  [`<Name>a</Name><SandboxEndpoint ${nil}="true"/>`, '/SandboxEndpoint'],
  [
    '<Name>a</Name><SandboxAnonymousAccessAllowed>yes</SandboxAnonymousAccessAllowed>',
    '/SandboxAnonymousAccessAllowed',
  ],
  ['<Tag>a</Tag>', '/Name'],
])('a value that the schema does not allow: 400 that names it, nothing stored: %s', async (members, pointer) => {
  const before = await api.latest()
  const answer = await post(`<APIVersion>${members}</APIVersion>`)
  expect(answer.status).toBe(400)
  expect(answer.json.errors).toMatchObject([{ pointer }])
  expect(await api.latest()).toBe(before)
})
