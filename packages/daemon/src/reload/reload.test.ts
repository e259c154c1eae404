import { join } from 'node:path'
import type { HooksState } from '@hookline/agent/config'
import { scriptedModel } from '@hookline/agent/testing'
import { systemClock } from 'hookline'
import { describe, expect, test, vi } from 'vitest'
import { createReadiness } from '../readiness.ts'
import { makeGate } from './fixtures/gate.ts'
import { makePlace, scripted } from './fixtures/place.ts'

vi.setConfig({ testTimeout: 60_000 })

const agents = (...names: readonly string[]) =>
  names.map((name) => `  - {name: ${name}, model: test/${name}}`).join('\n')

const file = 'user/hookline.config.yaml'

/** A turn that waits for `finish` after its first call, while files change. */
async function waitingTurn({
  config = 'hooks: []',
  agent = 'main',
  calls = 1,
}: {
  readonly config?: string
  readonly agent?: string
  readonly calls?: number
} = {}) {
  const place = await makePlace()
  await place.write(file, config)
  const gate = makeGate()
  const asked: string[] = []
  const model = scriptedModel(async ({ model: name }) => {
    asked.push(name)
    if (asked.length === 2) await gate.pass()
    if (asked.length > calls) return { text: 'Done.' }
    return { calls: [{ tool: 'glob', args: { pattern: '*' } }] }
  })
  const workspace = await place.open({ models: { resolve: () => model } })
  const { runtime } = workspace
  const session = await runtime.openSession({ agent, cwd: place.root })
  const turn = session.send('Go.')
  await gate.arrived
  return {
    place,
    workspace,
    runtime,
    session,
    asked,
    /** Lets the turn go on; gives how it ended. */
    finish: async () => {
      gate.open()
      return (await turn.result).status
    },
    /** Which of its calls were refused. */
    refused: () =>
      session.messages.flatMap((message) =>
        message.role === 'tool'
          ? message.content.map(({ isError }) => isError === true)
          : [],
      ),
  }
}

describe('a turn that runs while files change', () => {
  test('an agent that is changed: the turn ends as it began, the next one is another', async () => {
    const config = 'agents:\n  - {name: a, model: test/old}'
    const { place, workspace, runtime, session, asked, finish } =
      await waitingTurn({ config, agent: 'a' })
    await place.write(file, config.replace('old', 'new'))
    const { refusal } = await workspace.reload()
    expect(refusal).toBeUndefined()
    expect(runtime.agents[0]?.model).toBe('test/new')
    expect(await finish()).toBe('succeeded')
    await session.send('Again.').result
    expect(asked).toEqual(['test/old', 'test/old', 'test/new'])
  })

  test('an agent that goes: its turn ends by itself, then it is gone', async () => {
    const config = `agents:\n${agents('a', 'b')}`
    const { place, workspace, runtime, finish } = await waitingTurn({
      config,
      agent: 'a',
    })
    await place.write(file, `agents:\n${agents('b')}`)
    await workspace.reload()
    await expect(runtime.openSession({ agent: 'a' })).rejects.toThrow(
      'There is no agent "a".',
    )
    expect(await finish()).toBe('succeeded')
    await expect
      .poll(() => runtime.agents.map(({ name }) => name))
      .toEqual(['b'])
  })

  test('an agent that comes back while it leaves is there when its turns have ended', async () => {
    const config = `agents:\n${agents('a', 'b')}`
    const { place, workspace, runtime, finish } = await waitingTurn({
      config,
      agent: 'a',
    })
    await place.write(file, `agents:\n${agents('b')}`)
    await workspace.reload()
    await place.write(file, config)
    const { refusal } = await workspace.reload()
    expect(refusal).toMatch(/"a" was taken out and still has turns that run/)
    expect(await finish()).toBe('succeeded')
    await expect
      .poll(() =>
        runtime.openSession({ agent: 'a' }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
  })

  test('a daemon whose agent has come back is ready again, and says so, though no file is touched', async () => {
    const config = `agents:\n${agents('a', 'b')}`
    const { place, workspace, finish } = await waitingTurn({
      config,
      agent: 'a',
    })
    const ready = createReadiness(workspace, { clock: systemClock, holdMs: 0 })
    await place.write(file, `agents:\n${agents('b')}`)
    await workspace.reload()
    await place.write(file, config)
    await workspace.reload()
    expect(await ready()).toMatchObject({ isReady: false })
    const told: HooksState[] = []
    workspace.onChange((state) => told.push(state))
    expect(await finish()).toBe('succeeded')
    await expect.poll(ready).toEqual({ isReady: true, problems: [] })
    expect(told.map(({ refusal }) => refusal)).toEqual([undefined])
  })

  test('F020 a guard that is written meanwhile judges the next call of the turn', async () => {
    const { place, workspace, finish, refused } = await waitingTurn({
      calls: 2,
    })
    const script = await place.write(
      'user/deny.mjs',
      'console.log(JSON.stringify({type: "reject", reason: "Not now."}))',
    )
    await place.write(
      'user/hooks.yaml',
      `hooks:\n  - {name: no-glob, on: tool.guard, match: {tool: glob}, handler: {type: command, argv: [${process.execPath}, ${script}]}}`,
    )
    const { refusal } = await workspace.reload()
    expect(refusal).toBeUndefined()
    await finish()
    expect(refused()).toEqual([false, true])
  })

  test('a policy that is changed meanwhile judges the next call of the turn', async () => {
    const config = 'policy: {mode: open}'
    const { place, workspace, finish, refused } = await waitingTurn({
      config,
      calls: 2,
    })
    await place.write(file, 'policy: {mode: deny-all}')
    await workspace.reload()
    await finish()
    expect(refused()).toEqual([false, true])
  })
})

describe('a file that is broken while the daemon runs', () => {
  const good = 'agents:\n  - {name: a, model: test/good}\npolicy: {mode: open}'
  const cases: Readonly<Record<string, readonly [bad: string, said: string]>> =
    {
      'text that is no YAML': ['agents: [', ':1:'],
      'an unknown key': [
        'agents:\n  - {name: a, modle: test/bad}',
        ':2:15: The key "modle" is unknown; did you mean "model"?',
      ],
      'an unknown section': ['agent: []', 'did you mean "agents"?'],
      'an agent without a name': [
        'agents:\n  - {model: test/bad}',
        ':2:5: `agents[0]` has no `name`',
      ],
      'two agents of one name': [
        'agents:\n  - {name: a}\n  - {name: a}',
        'Two agents of this file are named "a"',
      ],
      'a provider of no kind': [
        'models: {providers: {x: {kind: opnai}}}',
        'did you mean "openai"?',
      ],
      'a provider without an address': [
        'models: {providers: {x: {kind: openai-compatible}}}',
        'needs a "baseUrl"',
      ],
      'a key in a file': [
        'models: {providers: {x: {kind: openai, apiKey: sk-1}}}',
        'The key "apiKey" is unknown',
      ],
      'a mode that is none': ['policy: {mode: opne}', 'did you mean "open"?'],
      'a rule that is none': [
        'policy:\n  rules:\n    - {tool: shell, decision: maybe}',
        ":3:7: The policy's `this rule.decision` is none of",
      ],
      'an expression that is none': [
        'policy:\n  rules:\n    - {args: {command: {$regex: "("}}, decision: deny}',
        ":3:7: The policy's `this rule.args`",
      ],
      'a plugin that is none': [
        'plugins: {skils: {}}',
        'did you mean "skills"?',
      ],
      'an MCP server that is none': [
        'plugins: {mcp: {servers: {x: {}}}}',
        'needs either a "command" or a "url"',
      ],
      'a store in two places': [
        'store: {file: a.db, urlEnv: URL}',
        'write either `file` or `urlEnv`',
      ],
      'a port that is none': [
        'daemon: {listen: {tcp: {port: 70000}}}',
        'has to be a whole number from 0 to 65535',
      ],
      'a right that is none': [
        `daemon: {principals: [{name: a, kind: user, rights: [adnim], tokenHash: ${'0'.repeat(64)}}]}`,
        'did you mean "admin"?',
      ],
      'a hook that names no point': [
        'hooks:\n  - {name: x, on: tool.gurad, handler: {type: command, argv: [true]}}',
        'did you mean "tool.guard"?',
      ],
      'hooks that wait for each other': [
        'hooks:\n  - {name: x, on: tool.guard, after: [y], handler: {type: command, argv: ["true"]}}\n  - {name: y, on: tool.guard, after: [x], handler: {type: command, argv: ["true"]}}',
        'x',
      ],
    }

  test('what runs goes on, and it is said where and what is wrong', async () => {
    const place = await makePlace()
    await place.write(file, good)
    const workspace = await place.open({ models: scripted([{ text: 'Hi.' }]) })
    const told: HooksState[] = []
    workspace.onChange((state) => told.push(state))
    for (const [what, [bad, said]] of Object.entries(cases)) {
      place.lines.length = 0
      await place.write(file, bad)
      const state = await workspace.reload()
      expect(state.refusal, what).toContain(said)
      expect(workspace.hooks.state.refusal).toBe(state.refusal)
      expect(told.at(-1)?.refusal).toBe(state.refusal)
      expect(place.lines).toContainEqual(
        expect.objectContaining({ event: 'config-refused' }),
      )
      expect(workspace.runtime.agents[0]?.model).toBe('test/good')
      expect(workspace.settings.policy.own?.mode).toBe('open')
    }
    await place.write(file, good.replace('good', 'better'))
    expect((await workspace.reload()).refusal).toBeUndefined()
    expect(workspace.runtime.agents[0]?.model).toBe('test/better')
  })

  test('a daemon does not start with it, and says where', async () => {
    const place = await makePlace()
    for (const [what, [bad, said]] of Object.entries(cases)) {
      await place.write(file, bad)
      const opened = place.open()
      await expect(opened, what).rejects.toThrow(said)
    }
  })
})

test('what is read once says that it counts after a restart', async () => {
  const place = await makePlace()
  const workspace = await place.open()
  expect(workspace.needsRestart).toEqual([])
  await place.write(
    'user/hookline.config.yaml',
    `store: {file: ${join(place.home, 'other.db')}}\nplugins: {memory: false}`,
  )
  await workspace.reload()
  expect(workspace.needsRestart).toEqual(['plugins', 'store'])
  expect(place.lines.some(({ event }) => event === 'restart-needed')).toBe(true)
})

test('what is followed while the daemon runs waits for no restart', async () => {
  const place = await makePlace()
  const workspace = await place.open()
  const principals = `[{name: bob, kind: user, rights: [run], tokenHash: "${'0'.repeat(64)}"}]`
  await place.write(
    'user/hookline.config.yaml',
    `daemon: {graceMs: 7000, logLevel: warn, principals: ${principals}}`,
  )
  await workspace.reload()
  expect(workspace.settings.daemon).toMatchObject({
    graceMs: 7_000,
    principals: [{ name: 'bob' }],
  })
  expect(workspace.needsRestart).toEqual([])
  await place.write('user/hookline.config.yaml', 'daemon: {approvers: 2}')
  await workspace.reload()
  expect(workspace.needsRestart).toEqual(['daemon'])
})

test('files are followed without being asked to', async () => {
  const place = await makePlace()
  const workspace = await place.open()
  await place.write('user/hookline.config.yaml', `agents:\n${agents('later')}`)
  await expect
    .poll(() => workspace.runtime.agents.map(({ name }) => name), {
      timeout: 30_000,
    })
    .toEqual(['later'])
})
