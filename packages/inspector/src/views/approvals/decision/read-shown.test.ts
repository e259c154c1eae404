import { expect, test } from 'vitest'
import { readShown } from './read-shown.ts'

const shown = `tool: "write"
owner: "os"
safety: "mutating"
asked: [
  "Really?\\narguments: none"
]
arguments: {
  "content": "tool: x",
  "path": "a"
}
written by the model: {
  "path": "b"
}`

test('each part of what is shown is read as it is written', () => {
  expect(readShown(shown)).toEqual({
    safety: 'mutating',
    owner: 'os',
    args: '{\n  "content": "tool: x",\n  "path": "a"\n}',
    written: '{\n  "path": "b"\n}',
  })
})

test('nothing is made up where nothing is written', () => {
  expect(readShown('')).toEqual({
    safety: '',
    owner: '',
    args: '',
    written: undefined,
  })
})

test('what is long comes last, so that where a call goes is in sight', () => {
  const long = 'x'.repeat(4_000)
  const { args } = readShown(
    `arguments: {\n  "content": "${long}",\n  "list": [\n    1,\n    2\n  ],\n  "path": "a"\n}`,
  )
  expect(args).toBe(
    `{\n  "list": [\n    1,\n    2\n  ],\n  "path": "a",\n  "content": "${long}"\n}`,
  )
})
