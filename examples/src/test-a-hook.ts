import { deadline, defineHook, type proceed, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'

const noForcePush = defineHook({
  name: 'no-force-push',
  on: toolGuard,
  match: { tool: 'bash', args: { command: '*push --force*' } },
  run: () => reject('Force-pushing is not allowed in this workspace.'),
})

const askTheService = defineHook({
  name: 'ask-the-service',
  on: toolGuard,
  execution: deadline(1_000),
  run: () => new Promise<typeof proceed>(() => {}),
})

// #region test-a-hook
import { createFakeClock, toolCall, tryHook } from 'hookline/testing'

const push = toolCall('bash', { command: 'git push --force' })
const trial = await tryHook(noForcePush, push)
trial.rejects(/not allowed/)
// #endregion

// #region test-a-deadline
const clock = createFakeClock()
const hung = tryHook(askTheService, push, { engine: { clock } })
await clock.advance(1_000)
;(await hung).fails('timed-out').denies()
// #endregion
