import { describe, expect, test } from 'vitest'
import type { WorkflowBody } from '../../src/workflow/schemas.ts'
import { startService } from '../support/service.ts'
import { exampleWorkflow, named, putWorkflow, workflowOf, workflowPath } from '../support/workflow.ts'

const service = await startService()
const admin = await service.siteAdmin()
const { client: person } = await service.person()

const check = (workflow: unknown) => person.post('/api/workflows/check', workflow)
const pointers = async (workflow: unknown): Promise<string[]> =>
  (await check(workflow)).json.Finding.map(({ pointer }: { pointer: string }) => pointer)

const simple = () => workflowOf('new', ['new', 'done'], [['Finish: new > done']])
const changed = (change: (workflow: WorkflowBody) => void) => {
  const workflow = simple()
  change(workflow)
  return workflow
}

test.each(['review', 'life'] as const)('the example %s has no findings', async (name) => {
  const { status, json } = await check(exampleWorkflow(name))
  expect([status, json.Finding]).toEqual([200, []])
  expect(json.Diagram).toMatch(/^stateDiagram-v2\n/)
})

describe('a finding for', () => {
  const action = { Who: ['APIAdmin'], To: named('done') }
  test.each<[string, WorkflowBody, string[]]>([
    ['no initial action', { State: simple().State, Action: simple().Action }, ['/InitialAction']],
    [
      'an initial action other than @Create',
      { ...simple(), InitialAction: { Name: 'Create', To: named('new') } },
      ['/InitialAction/Name'],
    ],
    [
      'an initial action to an unknown state',
      { ...simple(), InitialAction: { Name: '@Create', To: named('none') } },
      ['/InitialAction/To'],
    ],
    [
      'actions to and from unknown states',
      workflowOf('new', ['new'], [['Go: gone, new > new'], ['Leave: new > away']]),
      ['/Action/0/From/0', '/Action/1/To', '/State/0'],
    ],
    [
      'states that are not reached, whatever leads from them',
      workflowOf('new', ['new', 'a', 'b', 'done'], [['Go: a > b'], ['Back: b > a'], ['End: new, b > done']]),
      ['/State/1', '/State/2'],
    ],
    [
      'states from which nothing ends',
      workflowOf('new', ['new', 'done', 'a', 'b'], [['Finish: new > done'], ['Go: new, b > a'], ['On: a > b']]),
      ['/State/2', '/State/3'],
    ],
    ['a state that only leads to itself', workflowOf('new', ['new'], [['Stay: new > new']]), ['/State/0']],
    [
      'two actions of one name from one state',
      workflowOf('new', ['new', 'done'], [['Finish: new > done'], ['Finish: new > new']]),
      ['/Action/1/From/0'],
    ],
    [
      'a state twice in one action',
      workflowOf('new', ['new', 'done'], [['Finish: new, new > done']]),
      ['/Action/0/From/1'],
    ],
    [
      'an action that nobody may take',
      workflowOf('new', ['new', 'done'], [['Finish: new > done', { Who: [] }]]),
      ['/Action/0/Who'],
    ],
    [
      'an action for people that there are not',
      workflowOf('new', ['new', 'done'], [['Finish: new > done', { Who: ['APIAdmin', 'Everybody'] }]]),
      ['/Action/0/Who/1'],
    ],
    [
      'an action from nowhere',
      changed(({ Action }) => Action.push({ Name: 'Appear', From: [], ...action })),
      ['/Action/1/From'],
    ],
    ['a state that is there twice', changed(({ State }) => State.push({ Name: named('new') })), ['/State/2/Name']],
    [
      'names that cannot be',
      changed(({ State, Action }) => {
        for (const state of State) if (state.Name === named('new')) state.Name = 'a <b>state</b>'
        for (const each of Action) each.From = ['a <b>state</b>']
        Action.push({ Name: '@Finish', From: ['a <b>state</b>'], ...action })
        Action.push({ Name: ' two\nlines', From: ['a <b>state</b>'], ...action })
      }),
      ['/State/0/Name', '/Action/1/Name', '/Action/2/Name', '/InitialAction/To'],
    ],
    [
      'a mapping to or from what is wrong',
      {
        ...simple(),
        StateMapping: [
          { From: named('old'), To: named('none') },
          { From: named('old'), To: named('new') },
          { From: named('new'), To: named('done') },
        ],
      },
      ['/StateMapping/0/To', '/StateMapping/1/From', '/StateMapping/2/From'],
    ],
    ['no state at all', { InitialAction: { Name: '@Create', To: 'x' }, State: [], Action: [] }, ['/InitialAction/To']],
  ])('%s', async (_what, workflow, expected) => {
    expect(await pointers(workflow)).toEqual(expected)
    const put = await admin.send('PUT', workflowPath, { body: workflow })
    expect(put.status).toBe(400)
    expect(put.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(expected)
    expect(put.json.faultstring).toContain(expected[0])
    expect((await admin.get(workflowPath)).status).toBe(404)
  })
})

test('a state may be called like a member of every object', async () => {
  const workflow = {
    InitialAction: { Name: '@Create', To: '__proto__' },
    State: [{ Name: '__proto__' }, { Name: 'constructor' }],
    Action: [{ Name: 'toString', From: ['__proto__'], To: 'constructor', Who: ['SiteAdmin'] }],
  }
  expect(await pointers(workflow)).toEqual([])
})

test('unknown members and wrong types are refused with their place', async () => {
  const answer = await check({ ...simple(), State: [{ Name: 'a', Colour: 'red' }], Extra: 1 })
  expect([answer.status, answer.json.errors]).toEqual([
    400,
    [
      { pointer: '/Extra', message: 'is unknown' },
      { pointer: '/State/0/Colour', message: 'is unknown' },
    ],
  ])
  expect((await check({ ...simple(), Action: { Name: 'x' } })).status).toBe(400)
  expect((await check([])).status).toBe(400)
})

test('XML is the same', async () => {
  const xml = `<Workflow><InitialAction><Name>@Create</Name><To>new</To></InitialAction>
    <State><Name>new</Name><Listed>false</Listed></State><State><Name>done</Name></State>
    <Action><Name>Finish</Name><From>new</From><To>done</To><Who>APIAdmin</Who><Who>Nobody</Who>
      <Condition><UnreadForDays>30</UnreadForDays></Condition></Action></Workflow>`
  const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
  const { status, text } = await person.post('/api/workflows/check', xml, headers)
  expect(status).toBe(200)
  expect(text).toContain('<WorkflowCheck><Finding><pointer>/Action/0/Who/1</pointer><message>must be')
})

describe('large documents', () => {
  const state = (n: number) => named(`s${n}`)
  const chain = (length: number) => ({
    InitialAction: { Name: '@Create', To: state(0) },
    State: Array.from({ length }, (_, n) => ({ Name: state(n) })),
    Action: Array.from({ length: length - 1 }, (_, n) => ({
      Name: `Go ${n}`,
      From: [state(n)],
      To: state(n + 1),
      Who: ['APIAdmin'],
    })),
  })
  const within = async (ms: number, work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    expect(performance.now() - began).toBeLessThan(ms)
  }

  test('a thousand states in a row, or in one circle, are checked at once', async () => {
    await within(1000, async () => expect(await pointers(chain(1000))).toEqual([]))
    const circle = chain(1000)
    circle.Action.push({ Name: 'Again', From: [state(999)], To: state(0), Who: ['APIAdmin'] })
    await within(1000, async () => expect(await pointers(circle)).toHaveLength(101))
  })

  test('more states, more actions, or more transitions than the limit are refused with it', async () => {
    await within(1000, async () => {
      const long = chain(10_000)
      const { status, json } = await check({ ...long, Action: long.Action.slice(0, 10) })
      expect([status, json.faultstring]).toEqual([400, expect.stringMatching(/\/State .*1000/)])
    })
    const wide = simple()
    wide.Action = Array.from({ length: 6 }, (_, n) => ({
      Name: `Go ${n}`,
      From: Array<string>(1000).fill(named('new')),
      To: named('done'),
      Who: ['APIAdmin'],
    }))
    const { status, json } = await check(wide)
    expect([status, json.faultstring]).toEqual([400, expect.stringContaining('5000 states')])
    const many = await check({ ...simple(), Action: Array(5001).fill(simple().Action[0]) })
    expect([many.status, many.json.faultstring]).toEqual([400, expect.stringMatching(/\/Action .*5000/)])
  })

  test('of very many findings the first ones are told, and that there are more; nothing is drawn', async () => {
    const wrong = {
      State: Array.from({ length: 1000 }, () => ({ Name: 'dup' })),
      Action: Array.from({ length: 5000 }, () => ({ Name: '@', From: ['q'], To: 'y', Who: ['', '', ''] })),
    }
    const { status, json } = await check(wrong)
    expect([status, json.Finding.length, json.Diagram]).toEqual([200, 101, ''])
    expect(json.Finding[99]).toEqual({ pointer: '/State/100/Name', message: 'is the name of /State/0 too' })
    expect(json.Finding[100]).toEqual({ pointer: '', message: expect.stringContaining('more than 100 findings') })
    const put = await admin.send('PUT', workflowPath, { body: wrong })
    expect([put.status, put.json.errors.length]).toEqual([400, 20])
    expect(put.json.faultstring).toMatch(/\/State\/20\/Name is the name of \/State\/0 too; and more\.$/)
  })

  test('a hundred findings are all of them', async () => {
    const { Finding, Diagram } = (await check(workflowOf('new', ['new', ...Array(100).fill('new')]))).json
    expect(Finding).toHaveLength(100)
    expect(Finding[99].pointer).toBe('/State/100/Name')
    expect(Diagram).toMatch(/^stateDiagram/)
  })

  test('a body above the limit: 413', async () => {
    expect((await check({ ...simple(), Title: 'x'.repeat(1_048_576) })).status).toBe(413)
  })
})

describe('the diagram', () => {
  test('names every state and action, the beginning and the ends', async () => {
    expect((await check(simple())).json.Diagram).toBe(
      [
        'stateDiagram-v2',
        '  state "com.platform.api.state.new" as s0',
        '  state "com.platform.api.state.done" as s1',
        '  [*] --> s0 : @Create',
        '  s0 --> s1 : Finish',
        '  s1 --> [*]',
        '',
      ].join('\n'),
    )
  })

  test('texts do not break out of it', async () => {
    const hostile = '"as s9\n  s1 --> s0 : <img src=x onerror=alert(1)>;%%{init:{}}%% #35; ` ]] \u2028 end'
    const workflow = changed(({ State, Action }) => {
      for (const each of [...State, ...Action]) each.Title = hostile
    })
    const { Diagram } = (await check(workflow)).json
    const lines = Diagram.split('\n')
    expect(lines).toHaveLength(7)
    const text = '(?:[\\p{L}\\p{Nd} .,@_-]|#\\d+;)+'
    for (const line of lines.slice(1, 3)) expect(line).toMatch(new RegExp(`^ {2}state "${text}" as s[01]$`, 'u'))
    expect(lines[4]).toMatch(new RegExp(`^ {2}s0 --> s1 : ${text}$`, 'u'))
  })

  test('is empty where it would be many times as large as the document', async () => {
    const states = Array.from({ length: 801 }, (_, n) => `s${n}`)
    const from = states.slice(0, -1).join(', ')
    const { State, Action } = workflowOf(
      's0',
      states,
      [...'abcdef'].map((name) => [`${name}: ${from} > s800`]),
    )
    // Without a beginning no state is out of reach.
    const workflow = { State, Action }
    expect((await check(workflow)).json.Diagram).toContain('s0 --> s800 : f')
    for (const action of workflow.Action) action.Title = '<'.repeat(255)
    expect((await check(workflow)).json.Diagram).toBe('')
  })
})

test('what is checked is not put in place', async () => {
  await check(simple())
  expect((await admin.get(workflowPath)).status).toBe(404)
  await putWorkflow(admin, simple())
  expect((await admin.get(workflowPath)).json).toEqual(simple())
})
