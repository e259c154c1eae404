import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { answerBridge } from './answer-bridge.ts'
import { readBridgeWords } from './bridge-order.ts'

/** What has failed before anything of the input was needed. */
function failEarly(...words: string[]) {
  const input = new PassThrough()
  const given = ['claude-code', '--url', 'ftp://x', '--timeout', '1h', ...words]
  const reply = answerBridge(readBridgeWords(given, {}), { input, env: {} })
  return { input, reply }
}

test.each([
  ['PreToolUse', 2],
  ['Stop', 1],
])(
  'whoever says that it is %s is refused without the input',
  async (event, exitCode) => {
    const { input, reply } = failEarly('--event', event)
    expect(await reply).toMatchObject({ exitCode, stdout: '' })
    input.destroy(new Error('Nobody minds any more.'))
    await nextTurn()
  },
)

test('where only the input says what happens it is waited for', async () => {
  const { input, reply } = failEarly()
  input.write('{"hook_event_name":')
  let isRefused = false
  void reply.then(() => {
    isRefused = true
  })
  await nextTurn()
  expect(isRefused).toBe(false)
  input.end('"Stop"}')
  expect(await reply).toMatchObject({ exitCode: 1, stdout: '' })
})
