import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMemoryRecords } from 'hookline'
import { describe, expect, test } from 'vitest'
import { checkSchema } from './check-schema.ts'
import { makeFolder, odd, openStage } from './fixtures/stage.ts'
import { createRedact, safeText } from './redact.ts'
import { nameTools, toolNameOf } from './tool-names.ts'

const object = { type: 'object' }

function nested(depth: number): object {
  let schema: object = { type: 'string' }
  for (let level = 0; level < depth; level++) {
    schema = { type: 'object', properties: { a: schema } }
  }
  return schema
}

async function openWith(tools: readonly object[]) {
  const folder = await makeFolder()
  const file = join(folder, 'tools.json')
  await writeFile(file, JSON.stringify(tools))
  return openStage({ servers: { odd: odd('plain', { tools: file }) } })
}

describe('a schema', () => {
  test.each([
    ['is missing', undefined],
    ['is text', 'object'],
    ['is of a list', { type: 'array' }],
    ['has no type', {}],
    ['is too deep', nested(40)],
    ['is too large', { ...object, description: 'x'.repeat(70_000) }],
    ['has too many values', { ...object, enum: Array(6_000).fill(1) }],
    ['has a dangerous key', JSON.parse('{"type":"object","__proto__":{}}')],
    ['refers to another place', { ...object, $ref: 'https://a.example/x' }],
    ['refers to nothing', { ...object, $ref: '#/$defs/none' }],
    [
      'has a type that is none',
      { ...object, properties: { a: { type: 'x' } } },
    ],
    ['has required names that are none', { ...object, required: 'a' }],
    ['has properties that are none', { ...object, properties: [] }],
    ['has a property that is none', { ...object, properties: { a: 1 } }],
    ['has a limit that is none', { ...object, minProperties: -1 }],
  ])('that %s leaves the tool out', (_, schema) => {
    expect(checkSchema(schema).problem).toMatch(/^its schema/)
  })

  test('T59 keeps no pattern that could hold up the process; the model reads of it', () => {
    const evil = '^(a+)+$'
    const { schema } = read({
      ...object,
      properties: {
        name: { type: 'string', pattern: evil, description: 'A name.' },
        // A property may have any name.
        pattern: { type: 'string' },
      },
      patternProperties: { [evil]: { type: 'string' } },
      additionalProperties: false,
    })
    expect(schema).toEqual({
      ...object,
      properties: {
        name: { type: 'string', description: `A name. Pattern: ${evil}` },
        pattern: { type: 'string' },
      },
    })
  })

  test('keeps what can be checked, and leaves the rest to the server', () => {
    const kept = {
      ...object,
      properties: {
        list: { type: 'array', items: { $ref: '#/$defs/item' } },
        kind: { enum: ['a', 'b'], default: { type: 'nonsense' } },
        either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['list'],
      additionalProperties: false,
      $defs: { item: { type: 'integer', minimum: 0 } },
    }
    const left = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://a.example/x',
      unevaluatedProperties: false,
      dependentRequired: { a: ['b'] },
    }
    expect(read({ ...kept, ...left }).schema).toEqual(kept)
  })

  function read(given: object) {
    const checked = checkSchema(given)
    if (checked.problem !== undefined) throw new Error(checked.problem)
    return checked
  }
})

describe('a name', () => {
  test.each([
    ['echo', 'mcp__odd__echo'],
    ['read.file/now', 'mcp__odd__read_file_now'],
    ['größe 大', 'mcp__odd__gr__e__'],
    ['../../etc', 'mcp__odd________etc'],
    ['__proto__', 'mcp__odd____proto__'],
    ['x"\n<b>', 'mcp__odd__x___b_'],
  ])('%j is made one that providers take', (name, expected) => {
    expect(toolNameOf('odd', name)).toBe(expected)
  })

  test('that is too long is cut, and stays its own', () => {
    const long = 'a'.repeat(80)
    const one = toolNameOf('odd', `${long}1`)
    const two = toolNameOf('odd', `${long}2`)
    expect([one.length, two.length]).toEqual([64, 64])
    expect(one).not.toBe(two)
    expect(one).toMatch(/^[a-zA-Z0-9_-]+$/)
  })

  test('that two tools would have is none of either', () => {
    const tools = ['a.b', 'a_b', 'c', 'c', 'd'].map((name) => ({ name }))
    const { named, collisions } = nameTools('odd', tools)
    expect(named).toEqual([{ name: 'mcp__odd__d', tool: { name: 'd' } }])
    expect(collisions).toEqual([
      [{ name: 'a.b' }, { name: 'a_b' }],
      [{ name: 'c' }, { name: 'c' }],
    ])
  })
})

test('bad tools of a server are left out with a diagnostic each, and the good are there', async () => {
  const folder = await makeFolder()
  const file = join(folder, 'tools.json')
  const bad = [
    { name: 'echo', inputSchema: object, description: 'a\u001b[31m\u202eb' },
    { name: 'list', inputSchema: { type: 'array' } },
    { name: 'a.b', inputSchema: object },
    { name: 'a_b', inputSchema: object },
    { name: 'n'.repeat(300), inputSchema: object },
    { name: '', inputSchema: object },
    {
      name: 'task',
      inputSchema: object,
      execution: { taskSupport: 'required' },
    },
    null,
    'text',
  ]
  await writeFile(file, JSON.stringify(bad))
  const records = createMemoryRecords()
  const { tools, call, requests } = await openStage({
    servers: { odd: odd('plain', { tools: file }) },
    records,
  })
  expect(await tools()).toEqual(['mcp__odd__echo'])
  expect(await call('mcp__odd__echo', { a: 1 })).toMatchObject({
    isError: false,
  })
  expect(requests[0]?.tools[0]?.description).toBe('a[31mb')
  const run = records.all().find(({ hook }) => hook === 'mcp:tools')
  expect(run?.diagnostics?.map(({ message }) => message)).toEqual([
    'Server "odd": tool "list": its schema is none of an object.',
    'Server "odd": a tool has no name of 1 to 256 characters.',
    'Server "odd": a tool has no name of 1 to 256 characters.',
    'Server "odd": tool "task": it runs as a task, which is not supported.',
    'Server "odd": an entry among its tools is none.',
    'Server "odd": an entry among its tools is none.',
    'Server "odd": tools "a.b" and "a_b" would have the same name, so that none of them is used.',
  ])
})

test('what a server gives is mapped, and what cannot be read is said to be so', async () => {
  const { call } = await openWith([{ name: 'mail', inputSchema: object }])
  const { blocks } = await call('mcp__odd__mail')
  const source = { type: 'base64', data: 'AAAA' }
  expect(blocks).toEqual([
    { type: 'file', mediaType: 'audio/wav', source },
    { type: 'text', text: '[A medium that cannot be read.]' },
    { type: 'text', text: '[Resource a://b]\ninside' },
    { type: 'file', mediaType: 'a/b', source, name: 'a://c' },
    { type: 'text', text: '[Resource a://d] There' },
    { type: 'text', text: '[A part of a kind that is not known here.]' },
  ])
})

test.each([
  ['where it would be cut', `${'x'.repeat(95)}sk-live-0123456789`, 100],
  [
    'with signs in it that are taken out',
    'sk-\u0000live-01234\u202e56789',
    100,
  ],
  [
    'in another form',
    Buffer.from('sk-live-0123456789').toString('base64'),
    100,
  ],
])('T55 a credential is found %s', (_, given, maxPoints) => {
  const redact = createRedact(['sk-live-0123456789'])
  const safe = safeText(given, { redact, maxPoints })
  expect(safe).toContain('[sec')
  expect(safe).not.toMatch(/sk-|live|c2st/)
})

test('T55 a credential is in no result, data, error, status or record, whatever the server says', async () => {
  const secret = 'sk-live-0123456789abcdef'
  const records = createMemoryRecords()
  const statuses: unknown[] = []
  const { call, plugin, events, requests } = await openStage({
    servers: { odd: odd('plain', { env: { names: ['API_KEY'] } }) },
    env: { ...process.env, API_KEY: secret },
    onStatus: (status) => statuses.push(status),
    records,
  })
  const leaked = await call('mcp__odd__leak', { name: 'API_KEY' })
  expect(leaked.text).toBe('the key is [secret]')
  const failed = await call('mcp__odd__fail', { name: 'API_KEY' })
  expect(failed.text).toBe('The server "odd" refused: Error: cannot: [secret]')
  expect(plugin.stderr('odd')).toContain('my key is [secret]')
  await call('mcp__odd__die')
  const everywhere = [
    events,
    requests,
    statuses,
    plugin.status(),
    records.all(),
  ]
  expect(JSON.stringify(everywhere)).not.toContain(secret)
})
