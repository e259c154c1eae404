import assert from 'node:assert/strict'

// #region first-hook
import { compileTable, createEngine, defineHook, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { toolCall } from 'hookline/testing'

const noForcePush = defineHook({
  name: 'no-force-push',
  on: toolGuard,
  match: { tool: 'bash', args: { command: '*push --force*' } },
  run: () => reject('Force-pushing is not allowed in this workspace.'),
})

const engine = createEngine(compileTable([noForcePush]))
const call = toolCall('bash', { command: 'git push --force origin main' })
const outcome = await engine.run(toolGuard, call)
if (outcome.type === 'reject') console.log(`${outcome.by}: ${outcome.reason}`)
// #endregion

assert.equal(outcome.type, 'reject')
const list = toolCall('bash', { command: 'ls' })
assert.equal((await engine.run(toolGuard, list)).type, 'proceed')
