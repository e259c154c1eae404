import { points } from 'hookline/lifecycle'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Client } from '../protocol/client.ts'
import {
  type LiveDaemon,
  startHere,
  tell,
  until,
} from './fixtures/live-daemon.ts'
import { siteForEach } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const site = siteForEach()
let live: LiveDaemon

beforeEach(async () => {
  live = await startHere(site, {
    values: [
      {
        plugins: { skills: false, memory: false, delegate: false },
        policy: { rules: [{ tool: 'write', decision: 'ask' }] },
      },
    ],
  })
})

/** Somebody is asked; the turn waits meanwhile. */
async function askSomebody(client: Client, path: string) {
  const { id: sessionId } = await client.createSession({})
  const write = { tool: 'write', args: { path, content: 'x' } }
  await client.send({ sessionId, input: JSON.stringify([write]) })
  return await until(async () => {
    const { items } = await client.listApprovals({ sessionId })
    return items[0]
  })
}

/** At every point there is one that says nothing right, and one that never ends. */
function badHooks(): string {
  // That one is for cores that are other programs.
  const names = Object.keys(points).filter(
    (on) => on !== 'runtime.turn_pre_context',
  )
  const broken = names.map(
    (on) =>
      `  - { name: broken-${on}, on: ${on}, handler: { type: command, shell: 'exit 9' } }`,
  )
  // Agents are registered when files are read, which is to end.
  const hanging = names
    .filter((on) => !on.startsWith('agent.'))
    .map(
      (on) =>
        `  - { name: hanging-${on}, on: ${on}, priority: 1, timeoutMs: 59000, handler: { type: command, shell: 'sleep 600' } }`,
    )
  return ['hooks:', ...broken, ...hanging, ''].join('\n')
}

test('I7 every hook fails or hangs: people list, disable, answer and shut down all the same', async () => {
  const { client } = live
  const denied = await askSomebody(client, 'no.txt')
  const allowed = await askSomebody(client, 'yes.txt')
  site.write('user/hooks.yaml', badHooks())
  expect((await client.reload({})).refusal).toBeUndefined()
  const { items } = await client.listHooks({})
  const bad = items.filter(({ name }) => /^(broken|hanging)-/.test(name))
  expect(bad.length).toBeGreaterThan(50)
  expect(bad.filter(({ isEnabled }) => !isEnabled)).toEqual([])

  // Whoever asks now is stuck in the hooks.
  let isStuck = true
  const stuck = client
    .createSession({})
    .then(
      () => 'began',
      () => 'refused',
    )
    .finally(() => {
      isStuck = false
    })
  expect((await client.listApprovals({})).items).toHaveLength(2)
  await client.listRuns({})
  await client.checkHooks()
  await client.explainHooks({ point: 'tool.guard' })
  for (const [approval, type] of [
    [denied, 'deny'],
    [allowed, 'allow'],
  ] as const) {
    const { id: approvalId, shownHash } = approval
    const answer = { approvalId, shownHash, type }
    expect(await client.answerApproval(answer)).toMatchObject({
      type: 'accepted',
    })
  }
  const name = 'hanging-tool.guard'
  expect(await client.setHook({ name, isEnabled: false })).toMatchObject({
    isEnabled: false,
  })
  const off = await client.disableAllHooks({ until: Date.now() + 3_600_000 })
  expect(off.disabled).toBeGreaterThan(50)
  // None of these has waited for a hook: who asked before them still does.
  expect(isStuck).toBe(true)

  // With all of them off, agents work.
  const session = await client.createSession({})
  const glob = { tool: 'glob', args: { pattern: '*' } }
  const { results } = await tell(client, [glob], session.id)
  expect(results).toMatchObject([{ isError: false }])

  // What was agreed to is done before all of it ends.
  await until(() => site.read('root/yes.txt') === 'x')
  await client.enableAllHooks()
  const hangs = client.createSession({}).catch(() => 'refused')
  await until(() => site.read('home/running-hooks').includes('hanging-'))
  const closedAt = performance.now()
  await live.close()
  // The hooks have a minute.
  expect(performance.now() - closedAt).toBeLessThan(50_000)
  await Promise.all([hangs, stuck])
  // A call sees the table that it began with: both were asked about before.
  expect(site.read('root/no.txt')).toBe('')
  expect(site.read('root/yes.txt')).toBe('x')
})
