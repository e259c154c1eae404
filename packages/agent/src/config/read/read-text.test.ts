import { expect, test } from 'vitest'
import { dataOf, type MapNode } from '../node.ts'
import { Report } from '../report.ts'
import { readText, type TextFormat } from './read-text.ts'

async function read(text: string | Uint8Array, format: TextFormat) {
  const report = new Report(`a.${format}`, 'user')
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const node = await readText(bytes, format, report)
  return { node, problems: report.problems() }
}

const bomb = `a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n`
const table = 'a = 1\n[b]\nc = 2\n'

test.each<[string, TextFormat, string | Uint8Array, string, number, number]>([
  ['a key twice', 'json', '{\n "a": 1,\n "a": 2}', 'duplicate-key', 3, 2],
  ['a key twice', 'yaml', 'b:\n  a: 1\n  a: 2\n', 'duplicate-key', 3, 3],
  ['a key twice', 'toml', 'a = 1\n\na = 2\n', 'duplicate-key', 3, 1],
  ['a table twice', 'toml', `${table}[b]\n`, 'duplicate-key', 4, 2],
  ['a prototype', 'json', '{"a":\n{"__proto__": {}}}', 'forbidden-key', 2, 2],
  ['a prototype', 'yaml', 'a:\n  __proto__: {}\n', 'forbidden-key', 2, 3],
  ['a prototype', 'toml', '[a]\n__proto__ = 1\n', 'forbidden-key', 2, 1],
  ['a constructor', 'toml', '[a.constructor]\nx = 1', 'forbidden-key', 1, 1],
  ['a byte order mark', 'json', '\uFEFF{}', 'byte-order-mark', 1, 1],
  ['a byte order mark', 'yaml', '\uFEFFhooks: []', 'byte-order-mark', 1, 1],
  ['a byte order mark', 'toml', '\uFEFFhooks = []', 'byte-order-mark', 1, 1],
  ['other bytes', 'json', Buffer.from([0x7b, 0xff, 0x7d]), 'not-utf8', 1, 1],
  ['too much', 'json', ' '.repeat(1_048_577), 'too-large', 1, 1],
  ['too much', 'yaml', 'hooks: []\n'.repeat(6_554), 'too-large', 1, 1],
  ['nothing', 'json', ' \n', 'empty', 1, 1],
  ['nothing', 'toml', '', 'empty', 1, 1],
  ['nothing but a comment', 'yaml', '# Hooks.\n', 'empty', 1, 1],
  ['nothing but a comment', 'toml', '# Hooks.\n', 'empty', 1, 1],
  ['depth', 'json', `{"a":\n${'['.repeat(500_000)}`, 'too-deep', 2, 64],
  ['depth', 'json', `${'[\n'.repeat(65)}${']'.repeat(65)}`, 'too-deep', 65, 1],
  ['depth', 'yaml', '['.repeat(60_000), 'too-deep', 1, 1001],
  ['depth', 'yaml', `${'- '.repeat(70)}x`, 'too-deep', 1, 131],
  ['depth', 'toml', `a = ${'['.repeat(100_000)}`, 'too-deep', 1, 133],
  ['depth', 'toml', `[${'a.'.repeat(20_000)}a]`, 'too-deep', 1, 1],
  ['an alias', 'yaml', bomb, 'alias', 2, 8],
  ['a tag', 'yaml', 'a: 1\nb: !x 1', 'syntax', 2, 4],
  ['binary data', 'yaml', 'a: !!binary aGk=', 'not-data', 1, 13],
  ['two documents', 'yaml', 'a: 1\n---\nb: 2', 'syntax', 2, 1],
  ['a number beyond all', 'json', '{"a": 1e999}', 'not-data', 1, 7],
  ['a number too exact', 'json', '[9007199254740993]', 'not-data', 1, 2],
  ['a number that is none', 'yaml', 'a: .nan', 'not-data', 1, 4],
  ['half of a character', 'json', '{"a": "\\ud800"}', 'not-data', 1, 7],
  ['a date', 'toml', '[b]\nc = [\n  1, 2020-01-01]', 'not-data', 3, 6],
  ['an end too soon', 'json', '{"hooks": [{"on"', 'syntax', 1, 17],
  ['an end too soon', 'toml', 'hooks = [{', 'syntax', 1, 10],
])(
  'T14 %s in %s is refused at its place',
  async (_, format, text, code, line, column) => {
    const { problems } = await read(text, format)
    expect(problems[0]).toMatchObject({ code, severity: 'error' })
    expect(problems[0]?.message).toMatch(/^[A-Z`].*\.$/)
    expect(problems[0]).toMatchObject({ line, column })
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  },
)

test('T14 an alias bomb costs no time', async () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 40; level++) {
    const before = `*a${level - 1}`
    const list = Array.from({ length: 9 }, () => before).join(', ')
    lines.push(`a${level}: &a${level} [${list}]`)
  }
  const start = performance.now()
  const { problems } = await read(lines.join('\n'), 'yaml')
  expect(problems.map(({ code }) => code)).toContain('alias')
  expect(performance.now() - start).toBeLessThan(5_000)
})

test('several problems of one file are reported, not only the first', async () => {
  const text = '{\n"a": 1,\n"a": 2,\n"__proto__": 3,\n"b": 1e999}'
  const { problems } = await read(text, 'json')
  expect(problems.map(({ code, line }) => [code, line])).toEqual([
    ['duplicate-key', 3],
    ['forbidden-key', 4],
    ['not-data', 5],
  ])
})

test('JSON may have comments and trailing commas', async () => {
  const { node, problems } = await read('// a\n{"a": [1, /* b */ 2,],}', 'json')
  expect(problems).toEqual([])
  expect(node && dataOf(node)).toEqual({ a: [1, 2] })
})

test('words that older YAML takes for something else are texts', async () => {
  const { node } = await read('on: yes\noff: no\nn: 0o17\n', 'yaml')
  expect(node && dataOf(node)).toEqual({ on: 'yes', off: 'no', n: 15 })
})

const written = `# A comment with = and [brackets].
title = """
two "lines" ""
"""
[[hooks]]
on = 'a.b'   # and [more]
match.tool = { "x y" = [1, "]", '}'], z = {q = 1.5} }

[[hooks]]
name = "second"
  [hooks.handler]
  type = "command"
  argv = [
    "one", # first
    '''two
''', 3,
  ]
`

test('every key of a TOML file has its place', async () => {
  const { node, problems } = await read(written, 'toml')
  expect(problems).toEqual([])
  const at = (...path: (string | number)[]) => {
    let here = node
    let keyAt = ''
    for (const part of path) {
      if (typeof part === 'number') {
        here = here?.type === 'list' ? here.items[part] : undefined
        continue
      }
      const map = here as MapNode
      const entry = map.entries.find(({ key }) => key === part)
      keyAt = `${entry?.keyAt.line}:${entry?.keyAt.column}`
      here = entry?.node
    }
    return `${keyAt} ${here?.at.line}:${here?.at.column}`
  }
  expect(at('title')).toBe('2:1 2:9')
  expect(at('hooks', 0)).toBe('5:1 5:1')
  expect(at('hooks', 0, 'on')).toBe('6:1 6:6')
  expect(at('hooks', 0, 'match', 'tool')).toBe('7:1 7:14')
  expect(at('hooks', 0, 'match', 'tool', 'x y', 1)).toBe('7:16 7:28')
  expect(at('hooks', 0, 'match', 'tool', 'z', 'q')).toBe('7:44 7:48')
  expect(at('hooks', 1)).toBe('5:1 9:1')
  expect(at('hooks', 1, 'name')).toBe('10:1 10:8')
  expect(at('hooks', 1, 'handler')).toBe('11:3 11:3')
  expect(at('hooks', 1, 'handler', 'argv', 1)).toBe('13:3 15:5')
  expect(at('hooks', 1, 'handler', 'argv', 2)).toBe('13:3 16:6')
})
