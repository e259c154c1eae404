import { describe, expect, test } from 'vitest'
import { codesOf } from '../fixtures/hook-bench.ts'
import { openRuleBench } from '../fixtures/rule-bench.ts'
import { cursor } from './cursor.ts'

async function ask(event: string, exitCode: number, document: object) {
  const file = { version: 1, hooks: { [event]: [{ command: 'x' }] } }
  const stdout = JSON.stringify(document)
  const bench = await openRuleBench(cursor, file, {
    speak: () => ({ exitCode, stdout }),
  })
  return bench.ask('tool.pre_call', event)
}

// A well-known example ends so, and people have copied it.
test.each([
  ['beforeReadFile', 3],
  ['beforeShellExecution', 1],
  ['preToolUse', 1],
])('%s: who says deny is heard, though the code is %i', async (event, code) => {
  const document = { permission: 'deny', agent_message: 'It has a key.' }
  const outcome = await ask(event, code, document)
  expect(outcome).toMatchObject({ type: 'reject', reason: 'It has a key.' })
  expect(codesOf(outcome)).toContain('sloppy-output')
})

test.each([{ permission: 'allow' }, { permission: 'ask' }, {}])(
  'a code that is no answer makes %j none',
  async (document) => {
    const outcome = await ask('beforeShellExecution', 1, document)
    expect(outcome.type).toBe('proceed')
    expect(codesOf(outcome)).toContain('failed-open')
  },
)

describe('variables that later commands find', () => {
  const hooks = {
    sessionStart: [{ command: 'start' }],
    beforeShellExecution: [{ command: 'guard' }],
  }

  async function tokenAfter(
    end: { exitCode?: number; stdout: string },
    isStrict = false,
  ) {
    const bench = await openRuleBench(
      cursor,
      { version: 1, hooks },
      { isStrict, speak: (_, script) => (script === 'start' ? end : {}) },
    )
    await bench.ask('session.start', 'sessionStart')
    await bench.ask('tool.pre_call', 'beforeShellExecution')
    return bench.specs.at(-1)?.env['TOKEN']
  }

  const document = '{"env":{"TOKEN":"x"}}'
  const context = '{"additional_context":"hi"}'

  test('are set by a hook that answers, and by none that fails', async () => {
    expect(await tokenAfter({ stdout: document })).toBe('x')
    const failed = { exitCode: 1, stdout: document }
    expect(await tokenAfter(failed)).toBeUndefined()
  })

  // A log may repeat anybody's words, and these would reach a guard.
  test.each([
    ['behind other words', `read: ${document} ok\n${context}`],
    ['below a line of log', `looking\n${document}`],
    ['beside another document', `${context}\n${document}`],
    ['with something behind it', `${document} done`],
    ['given twice', '{"env":{"TOKEN":"x"},"env":{"TOKEN":"x"}}'],
  ])('are not set by what is printed %s', async (_, stdout) => {
    expect(await tokenAfter({ stdout })).toBeUndefined()
    expect(await tokenAfter({ stdout }, true)).toBeUndefined()
  })
})
