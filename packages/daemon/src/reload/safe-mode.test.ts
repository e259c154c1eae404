import { existsSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { callers } from './fixtures/callers.ts'
import { makePlace } from './fixtures/place.ts'
import type { Workspace } from './workspace.ts'

vi.setConfig({ testTimeout: 60_000 })

const law =
  'hooks:\n  - {name: law, on: tool.guard, match: {tool: glob}, handler: {type: command, argv: ["true"]}}'

async function callIn({ runtime, root }: Workspace) {
  const session = await runtime.openSession({ agent: 'main', cwd: root })
  await session.send('Go.').result
  const results = session.messages.flatMap((one) =>
    one.role === 'tool' ? one.content : [],
  )
  return JSON.stringify(results)
}

describe('safe mode', () => {
  test('starts with a configuration that is broken, and without any of its hooks', async () => {
    const place = await makePlace()
    await place.write('user/hookline.config.yaml', 'hooks: [')
    await expect(place.open({ models: callers() })).rejects.toThrow(
      'hookline.config.yaml:1:',
    )
    const workspace = await place.open({ models: callers(), safe: true })
    expect(workspace.isSafe).toBe(true)
    expect(workspace.hooks.state.refusal).toContain('safe mode')
    expect(await callIn(workspace)).not.toContain('"isError":true')
  })

  test('starts where a file of hooks would hang for ever', async () => {
    const place = await makePlace()
    await place.write('user/hookline.config.js', 'while (true) {}')
    const workspace = await place.open({ models: callers(), safe: true })
    expect(await callIn(workspace)).not.toContain('"isError":true')
    expect(workspace.hooks.state.problems).toContainEqual(
      expect.objectContaining({ code: 'code-failed' }),
    )
  })

  test('has the store that was used last where the file that names it cannot be read, and says so', async () => {
    const place = await makePlace()
    const file = 'user/hookline.config.yaml'
    const mine = join(dirname(place.home), 'mine.db')
    await place.write(file, `store: { file: ${mine} }`)
    const first = await place.open({ models: callers() })
    await callIn(first)
    await first.close()
    const kept = join(place.home, 'last-settings.json')
    expect((await stat(kept)).mode & 0o777).toBe(0o600)
    await place.write(file, `store: { file: ${mine} }\nhooks: [`)
    const safe = await place.open({ models: callers(), safe: true })
    expect(safe.settings.store.file).toBe(mine)
    const sql = 'SELECT id FROM sessions'
    const { database } = safe.store.parts
    expect(await database.read({ sql, values: [] })).toHaveLength(1)
    expect(safe.hooks.state.refusal).toContain(`used last: SQLite at "${mine}"`)
    await safe.reload()
    expect(safe.settings.store.file).toBe(mine)
    expect(safe.needsRestart).not.toContain('store')
    await safe.close()
    expect(existsSync(join(place.home, 'hookline.db'))).toBe(false)

    await rm(kept)
    const lost = await place.open({ models: callers(), safe: true })
    expect(lost.hooks.state.refusal).toContain('may be another one than')
    expect(place.lines).toContainEqual(
      expect.objectContaining({
        event: 'safe-mode',
        store: expect.stringContaining('may be another one than configured'),
      }),
    )
    // What was written down last stays so: safe mode is no good example.
    expect(existsSync(kept)).toBe(false)
  })

  test('keeps to the files where they can be read', async () => {
    const place = await makePlace()
    const file = 'user/hookline.config.yaml'
    const [old, mine] = ['old.db', 'mine.db'].map((name) =>
      join(dirname(place.home), name),
    )
    await place.write(file, `store: { file: ${old} }`)
    await (await place.open({ models: callers() })).close()
    await place.write(file, `store: { file: ${mine} }`)
    const safe = await place.open({ models: callers(), safe: true })
    expect(safe.settings.store.file).toBe(mine)
    expect(safe.hooks.state.refusal).not.toContain('store')
  })

  test('has managed gates deny what they would have judged', async () => {
    const place = await makePlace()
    await place.write('managed/hooks.yaml', law)
    await place.write('user/hooks.yaml', law.replace('name: law', 'name: mine'))
    const workspace = await place.open({ models: callers(), safe: true })
    expect(await callIn(workspace)).toContain(
      'safe mode, where a managed gate denies',
    )
    const names = workspace.runtime
      .tableOf('main')
      .hooks.map(({ name }) => name)
    expect(names).toContain('law')
    expect(names).not.toContain('mine')
  })

  test('T14 lets no session begin where the managed files cannot be read', async () => {
    const place = await makePlace()
    await place.write('managed/hooks.yaml', 'hooks: [')
    await expect(place.open({ models: callers() })).rejects.toThrow(
      'managed/hooks.yaml',
    )
    const workspace = await place.open({ models: callers(), safe: true })
    await expect(callIn(workspace)).rejects.toThrow(
      'What is managed cannot be read',
    )
    await place.write('managed/hooks.yaml', law)
    await workspace.reload()
    expect(await callIn(workspace)).toContain('safe mode')
  })

  test('lets no session begin where the managed files are code, which is not run', async () => {
    const place = await makePlace()
    await place.write(
      'managed/hookline.config.js',
      'export default { hooks: [] }',
    )
    const workspace = await place.open({ models: callers(), safe: true })
    await expect(callIn(workspace)).rejects.toThrow(
      'What is managed cannot be read',
    )
  })
})

test('T14 managed files that become unreadable leave their gates in force, and it is said', async () => {
  const place = await makePlace()
  const deny = `hooks:\n  - {name: law, on: tool.guard, match: {tool: glob}, handler: {type: command, argv: [${process.execPath}, -e, "console.log(JSON.stringify({type: 'reject', reason: 'By law.'}))"]}}`
  await place.write('managed/hooks.yaml', deny)
  const workspace = await place.open({ models: callers() })
  expect(await callIn(workspace)).toContain('By law.')
  await place.write('managed/hooks.yaml', 'hooks: {')
  const { refusal } = await workspace.reload()
  expect(refusal).toContain('managed/hooks.yaml')
  expect(await callIn(workspace)).toContain('By law.')
})

test.each([
  ['judges', '{use: call-limit, options: {toolCalls: 9}}', true],
  [
    'only tries',
    '{use: call-limit, options: {toolCalls: 9}, mode: evaluate}',
    false,
  ],
  [
    'is off',
    '{use: call-limit, options: {toolCalls: 9}, disabled: true}',
    false,
  ],
])(
  'a managed use that %s: safe mode holds to what it may judge',
  async (_, use, isClosed) => {
    const place = await makePlace()
    await place.write('managed/hooks.yaml', `hooks: [${use}]`)
    const { hooks, runtime } = await place.open({
      models: callers(),
      safe: true,
    })
    expect(hooks.state.refusal).toContain('safe mode')
    const names = [...runtime.tableOf('main').plans.values()].flatMap((plan) =>
      plan.waited.map(({ name }) => name),
    )
    const isDenied = names.includes('hookline:closed:tool.pre_call')
    expect(isDenied).toBe(isClosed)
  },
)
