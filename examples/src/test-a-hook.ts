import { defineHook, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { createFakeClock, tryHook } from 'hookline/testing'
import { toolCall } from './support/calls.ts'

const noForcePush = defineHook({
  name: 'no-force-push',
  on: toolGuard,
  match: { tool: 'bash', args: { command: '*push --force*' } },
  run: () => reject('Force-pushing is not allowed in this workspace.'),
})

// #region test-a-hook
const push = toolCall('bash', { command: 'git push --force' })
const trial = await tryHook(noForcePush, push)
trial.rejects(/not allowed/)
// #endregion

const askTheService = defineHook({
  name: 'ask-the-service',
  on: toolGuard,
  run: () => new Promise<never>(() => {}),
})

// #region test-a-deadline
const clock = createFakeClock()
const hung = tryHook(askTheService, push, { engine: { clock } })
await clock.advance(30_000)
;(await hung).fails('timed-out')
// #endregion
