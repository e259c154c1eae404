import { expect, test } from 'vitest'
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

test('a hook that fails sets no variables', async () => {
  const hooks = {
    sessionStart: [{ command: 'start' }],
    beforeShellExecution: [{ command: 'guard' }],
  }
  const envAfter = async (exitCode: number) => {
    const stdout = JSON.stringify({ env: { TOKEN: 'x' } })
    const bench = await openRuleBench(
      cursor,
      { version: 1, hooks },
      {
        speak: (_, script) => (script === 'start' ? { exitCode, stdout } : {}),
      },
    )
    await bench.ask('session.start', 'sessionStart')
    await bench.ask('tool.pre_call', 'beforeShellExecution')
    return bench.specs.at(-1)?.env['TOKEN']
  }
  expect(await envAfter(0)).toBe('x')
  expect(await envAfter(1)).toBeUndefined()
})
