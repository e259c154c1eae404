import { createFakeClock } from 'hookline/testing'
import { describe, expect, test, vi } from 'vitest'
import { callers } from '../fixtures/callers.ts'
import { makePlace, type Place } from '../fixtures/place.ts'
import type { Workspace } from '../workspace.ts'

vi.setConfig({ testTimeout: 60_000 })

const hourMs = 3_600_000
const inAnHour = () => Date.now() + hourMs

/** A hook that says one thing, as a command. */
function saying(name: string, answer: string, more = ''): string {
  const code = `process.stdin.resume(); process.stdin.on('end', () => ${answer})`
  const argv = JSON.stringify([process.execPath, '-e', code])
  return `  - {name: ${name}, on: tool.guard, match: {tool: glob}, handler: {type: command, argv: ${argv}}${more}}`
}

const no = `console.log(JSON.stringify({ type: 'reject', reason: 'No.' }))`
const nothing = '0'
const forever = 'setInterval(() => {}, 1000)'

/** Whether a call passes, in a session of its own. */
async function passes(workspace: Workspace): Promise<boolean> {
  const { runtime, root } = workspace
  const session = await runtime.openSession({ agent: 'main', cwd: root })
  await session.send('Go.').result
  const results = session.messages.flatMap(({ role, content }) =>
    role === 'tool' ? content : [],
  )
  await session.close()
  return results.every(({ isError }) => isError !== true)
}

async function openWith(
  files: Readonly<Record<string, string>>,
  options: Parameters<Place['open']>[0] = {},
) {
  const place = await makePlace()
  for (const [name, text] of Object.entries(files))
    await place.write(name, text)
  const workspace = await place.open({ models: callers(), ...options })
  return { place, workspace, switches: workspace.switches }
}

describe('one hook', () => {
  test('that is off for a while is not off for good when its mode is changed', async () => {
    const { switches } = await openWith({
      'user/hooks.yaml': `hooks:\n${saying('denies', no)}`,
    })
    const until = inAnHour()
    await switches.set({ name: 'denies', isEnabled: false, until }, 'ann')
    await switches.set({ name: 'denies', mode: 'evaluate' }, 'bob')
    const off = { isEnabled: false, mode: 'evaluate', until, by: 'bob' }
    expect(switches.of('denies')).toMatchObject(off)
    await switches.set({ name: 'denies', isEnabled: false }, 'ann')
    expect(switches.of('denies')?.until).toBeUndefined()
  })

  test('that is switched off does not run, and runs again when it is switched on', async () => {
    const { workspace, switches } = await openWith({
      'user/hooks.yaml': `hooks:\n${saying('denies', no)}`,
    })
    expect(await passes(workspace)).toBe(false)
    const outcome = await switches.set(
      { name: 'denies', isEnabled: false, reason: 'It is wrong.' },
      'ann',
    )
    expect(outcome).toEqual({ isKept: true })
    expect(await passes(workspace)).toBe(true)
    expect(switches.of('denies')).toMatchObject({
      isEnabled: false,
      by: 'ann',
      reason: 'It is wrong.',
    })
    await switches.set({ name: 'denies', isEnabled: true }, 'ann')
    expect(await passes(workspace)).toBe(false)
    expect(switches.of('denies')).toBeUndefined()
  })

  test('in evaluate mode is asked, and decides nothing', async () => {
    const { workspace, switches } = await openWith({
      'user/hooks.yaml': `hooks:\n${saying('denies', no)}`,
    })
    await switches.set({ name: 'denies', mode: 'evaluate' }, 'ann')
    expect(await passes(workspace)).toBe(true)
    const planned = workspace.runtime
      .tableOf('main')
      .hooks.find(({ name }) => name === 'denies')
    expect(planned?.mode).toBe('evaluate')
  })

  test('stays as it was switched when files change, and after a restart', async () => {
    const { place, workspace, switches } = await openWith({
      'user/hooks.yaml': `hooks:\n${saying('denies', no)}`,
    })
    await switches.set({ name: 'denies', isEnabled: false }, 'ann')
    await place.write(
      'user/hooks.yaml',
      `hooks:\n${saying('denies', no, ', priority: 3')}`,
    )
    await workspace.reload()
    expect(await passes(workspace)).toBe(true)
    await workspace.close()
    const again = await place.open({ models: callers() })
    expect(again.switches.of('denies')?.by).toBe('ann')
    expect(await passes(again)).toBe(true)
  })

  test('that others need stays, and so does everything else', async () => {
    const { workspace, switches } = await openWith({
      'user/hooks.yaml': `hooks:\n${saying('first', nothing)}\n${saying('second', no, ', needs: [first]')}`,
    })
    const change = switches.set({ name: 'first', isEnabled: false }, 'ann')
    await expect(change).rejects.toMatchObject({ code: 'needed-hook' })
    expect(switches.state.hooks).toEqual([])
    expect(await passes(workspace)).toBe(false)
  })

  test('F020 that is managed cannot be switched off, nor made to watch only', async () => {
    const { workspace, switches } = await openWith({
      'managed/hooks.yaml': `hooks:\n${saying('law', no)}`,
    })
    const error = { code: 'managed-hook' }
    await expect(
      switches.set({ name: 'law', isEnabled: false }, 'ann'),
    ).rejects.toMatchObject(error)
    await expect(
      switches.set({ name: 'law', mode: 'evaluate' }, 'ann'),
    ).rejects.toMatchObject(error)
    expect(switches.isManaged('law')).toBe(true)
    expect(await passes(workspace)).toBe(false)
  })

  test('that was switched off and is managed since then runs', async () => {
    const { place, workspace, switches } = await openWith({
      'user/hooks.yaml': `hooks:\n${saying('law', no)}`,
    })
    await switches.set({ name: 'law', isEnabled: false }, 'ann')
    await place.write('user/hooks.yaml', 'hooks: []')
    await place.write('managed/hooks.yaml', `hooks:\n${saying('law', no)}`)
    await workspace.reload()
    expect(await passes(workspace)).toBe(false)
  })

  test('that there is not is an error that says so', async () => {
    const { switches } = await openWith({})
    await expect(
      switches.set({ name: 'nobody', isEnabled: false }, 'ann'),
    ).rejects.toThrow('There is no hook "nobody"')
    await expect(
      switches.disableAll({ until: 1 }, 'ann'),
    ).rejects.toMatchObject({ code: 'invalid-switch' })
  })

  test('of a plugin can be switched off, too', async () => {
    const { workspace, switches } = await openWith({})
    const name =
      switches.hooks.find((hook) => workspace.pluginOf(hook.name) === 'skills')
        ?.name ?? ''
    await switches.set({ name, isEnabled: false }, 'ann')
    const planned = workspace.runtime
      .tableOf('main')
      .hooks.find((hook) => hook.name === name)
    expect(planned?.disabled).toBe(true)
  })
})

describe('all hooks', () => {
  test('are off while one of them hangs, and what asks next is not held up', async () => {
    const { workspace, switches } = await openWith({
      'user/hooks.yaml': `hooks:\n${saying('hangs', forever, ', timeoutMs: 600000')}`,
    })
    const { runtime, root } = workspace
    const stuck = await runtime.openSession({ agent: 'main', cwd: root })
    const isAsked = new Promise<void>((resolve) => {
      runtime.engine.observe((event) => {
        if (event.type === 'hook-start' && event.hook === 'hangs') resolve()
      })
    })
    const turn = stuck.send('Go.')
    await isAsked
    const outcome = await switches.disableAll(
      { until: inAnHour(), reason: 'It hangs.' },
      'ann',
    )
    expect(outcome).toMatchObject({ isKept: true, denying: 0 })
    expect(outcome.disabled).toBeGreaterThan(0)
    expect(await passes(workspace)).toBe(true)
    turn.cancel('It hangs.')
    expect((await turn.result).status).toBe('cancelled')
  })

  test('are off, and managed gates deny in their place', async () => {
    const { workspace, switches } = await openWith({
      'managed/hooks.yaml': `hooks:\n${saying('law', nothing)}`,
      'user/hooks.yaml': `hooks:\n${saying('mine', nothing)}`,
    })
    expect(await passes(workspace)).toBe(true)
    const outcome = await switches.disableAll({ until: inAnHour() }, 'ann')
    expect(outcome.denying).toBe(1)
    expect(await passes(workspace)).toBe(false)
    const names = workspace.runtime
      .tableOf('main')
      .hooks.map(({ name }) => name)
    expect(names).toContain('law')
    expect(names).not.toContain('mine')
    await switches.enableAll('ann')
    expect(await passes(workspace)).toBe(true)
  })

  test('stay off when files change, and a table that would not do is still refused', async () => {
    const { place, workspace, switches } = await openWith({})
    await switches.disableAll({ until: inAnHour() }, 'ann')
    await place.write('user/hooks.yaml', `hooks:\n${saying('denies', no)}`)
    expect((await workspace.reload()).refusal).toBeUndefined()
    expect(await passes(workspace)).toBe(true)
    await place.write(
      'user/hooks.yaml',
      `hooks:\n${saying('x', no, ', after: [y]')}\n${saying('y', no, ', after: [x]')}`,
    )
    expect((await workspace.reload()).refusal).toContain('x')
    await switches.enableAll('ann')
    expect(await passes(workspace)).toBe(false)
  })

  test('are on again when the time has come, after a restart too', async () => {
    const clock = createFakeClock(Date.now())
    const { place, workspace, switches } = await openWith(
      { 'user/hooks.yaml': `hooks:\n${saying('denies', no)}` },
      { clock },
    )
    const until = clock.wallAt(clock.now()) + hourMs
    await switches.disableAll({ until }, 'ann')
    const planned = () =>
      workspace.runtime.tableOf('main').hooks.map(({ name }) => name)
    expect(planned()).not.toContain('denies')
    await clock.advance(hourMs - 1)
    expect(switches.state.allOff).toBeDefined()
    await clock.advance(2)
    expect(switches.state.allOff).toBeUndefined()
    expect(planned()).toContain('denies')
    await workspace.close()
    const later = createFakeClock(until + 1)
    const again = await place.open({ clock: later })
    expect(again.switches.state.allOff).toBeUndefined()
  })

  test('every change is on the audit log with who made it', async () => {
    const { workspace, switches } = await openWith({
      'user/hooks.yaml': `hooks:\n${saying('denies', no)}`,
    })
    await switches.set(
      { name: 'denies', isEnabled: false, reason: 'Wrong.' },
      'ann',
    )
    await switches.disableAll(
      { until: inAnHour(), reason: 'All wrong.' },
      'bob',
    )
    await switches.enableAll('cleo')
    const { store } = workspace
    await store.audit.flush()
    const rows = await store.parts.database.read({
      sql: "SELECT kind, actor, body FROM audit WHERE kind LIKE 'hooks.%' ORDER BY seq",
      values: [],
    })
    expect(rows.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['hooks.switched', 'ann'],
      ['hooks.all-off', 'bob'],
      ['hooks.all-on', 'cleo'],
    ])
    expect(String(rows[1]?.['body'])).toContain('All wrong.')
  })
})
