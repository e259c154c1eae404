import { expect, test } from 'vitest'
import { errorStatus, ProtocolError } from '../protocol/errors.ts'
import { HomeError } from '../server/home-error.ts'
import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'
import { explainError } from './explain-error.ts'
import { captureOutput } from './fixtures/captured-output.ts'
import { reportError } from './report-error.ts'

test.each([
  ['no-token', 'refused'],
  ['not-allowed', 'refused'],
  ['not-found', 'not-found'],
  ['bad-request', 'usage'],
  ['unavailable', 'unreachable'],
  ['internal', 'failed'],
] as const)('an answer of %s ends a command with "%s"', (code, exit) => {
  const error = explainError(new ProtocolError(code, 'It is so.'))
  expect(error).toMatchObject({ exit, message: 'It is so.' })
})

test('every answer that a daemon can give has its exit code', () => {
  for (const code of Object.keys(errorStatus)) {
    // They are its keys.
    const error = new ProtocolError(code as keyof typeof errorStatus, 'x')
    expect(exitCodes).toHaveProperty(explainError(error).exit)
  }
})

test('what is wrong with an input is told field by field', () => {
  const problems = [{ path: 'limit', message: 'is too large' }]
  const error = new ProtocolError('bad-request', 'No.', { problems })
  expect(explainError(error).hint).toBe('limit: is too large')
})

test.each([
  ['ENOSPC', 'There is no room left: /x.'],
  ['EACCES', 'There is no permission: /x.'],
])('%s is told in words', (code, message) => {
  const error = Object.assign(new Error('raw'), { code, path: '/x' })
  expect(explainError(error)).toMatchObject({ exit: 'failed', message })
})

test('a home that is taken is something else than a home that is wrong', () => {
  const taken = new HomeError('already-running', 'Taken.', { pid: 1 })
  expect(explainError(taken).exit).toBe('taken')
  expect(explainError(new HomeError('unsafe-home', 'Bad.')).exit).toBe('failed')
})

test('what nobody expected says so, and shows where only when asked', () => {
  const error = explainError(new TypeError('x is not a function'))
  expect(error.hint).toContain('HOOKLINE_DEBUG=1')
  const quiet = captureOutput()
  expect(reportError(error, quiet.output, { isDebug: false })).toBe(1)
  expect(quiet.written.stderr).toMatch(/^error: x is not a function\n {2}This/)
  expect(quiet.written.stderr).not.toContain('    at ')
  const loud = captureOutput()
  reportError(error, loud.output, { isDebug: true })
  expect(loud.written.stderr).toContain('    at ')
})

test('an error is one line of JSON for programs', () => {
  const { output, written } = captureOutput({ isJson: true })
  const error = new CliError('not-found', 'No \x1b[2J.', { hint: 'Look.' })
  expect(reportError(error, output, { isDebug: false })).toBe(5)
  expect(JSON.parse(written.stderr)).toEqual({
    error: {
      code: 5,
      exit: 'not-found',
      message: 'No \x1b[2J.',
      hint: 'Look.',
    },
  })
  expect(written.stderr).not.toContain('\x1b')
})
