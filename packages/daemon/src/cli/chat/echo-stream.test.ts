import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { EchoStream } from './echo-stream.ts'

test('a screen that does not know its size has 80 columns and 24 rows', () => {
  const screen = Object.assign(new PassThrough(), { columns: 0, rows: 0 })
  const echo = new EchoStream(screen, () => true)
  expect([echo.columns, echo.rows]).toEqual([80, 24])
})
