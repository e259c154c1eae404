import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listRuns } from '@hookline/agent/durable'
import { defineHook, proceed, reject, transform } from 'hookline'
import { toolGuard, toolPreCall } from 'hookline/lifecycle'
import { describe, expect, test, vi } from 'vitest'
import type { InputOf } from '../../protocol/operations.ts'
import {
  admin,
  longMs,
  openWorld,
  type World,
  type WorldOptions,
} from '../fixtures/open-world.ts'
import { ask } from '../fixtures/strict-output.ts'
import { backtestOperations } from './backtest.ts'

vi.setConfig({ testTimeout: longMs })

/** It can be changed after it was asked. */
let words = ['rm']
const guard = defineHook({
  name: 'guard',
  on: toolGuard,
  run: ({ args }) =>
    words.some((word) => word === args['command'])
      ? reject('Not that.')
      : proceed,
})
const writer = defineHook({
  name: 'writer',
  on: toolPreCall,
  writes: true,
  run: ({ args }) => transform({ ...args, added: true }),
})

async function setUp(options: WorldOptions = {}): Promise<World> {
  words = ['rm']
  const world = await openWorld({ hooks: [guard, writer], ...options })
  for (const command of ['ls', 'rm', 'dd']) await world.callTool({ command })
  return world
}

const soon = { timeout: longMs }

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const shell = (script: string, rest: object = {}) => ({
  name: 'draft',
  on: 'tool.guard',
  ...rest,
  handler: { type: 'command', shell: script },
})

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  test('a hook that was changed is tried on what happened, and nothing comes of it', async () => {
    const world = await setUp({ engine })
    const { operations, workspace, executed } = world
    const before = await listRuns(workspace.store.parts, {})
    words = ['dd']
    const input = { hook: 'guard', since: 0 }
    const report = await ask(operations, 'backtest', input, admin)
    expect(report).toMatchObject({
      point: 'tool.guard',
      looked: 3,
      judged: 3,
      matched: 3,
      changed: 2,
      lackingCount: 0,
      isCut: false,
    })
    expect(report.differences).toMatchObject([
      {
        about: 'probe {"command":"dd","added":true}',
        before: 'proceed',
        now: 'reject',
        reason: 'Not that.',
        sessionId: expect.any(String),
        runId: expect.stringMatching(/\/guard$/),
      },
      { before: 'reject', now: 'proceed' },
    ])
    await workspace.runtime.drain()
    const after = await listRuns(workspace.store.parts, {})
    expect(after.runs).toEqual(before.runs)
    expect(executed).toHaveLength(2)
    expect(workspace.runtime.engine.counts().get('guard')?.failures ?? 0).toBe(
      0,
    )
  })

  test('one run is tried again', async () => {
    const { operations } = await setUp({ engine })
    const filter = { hook: 'guard' }
    const { items } = await ask(operations, 'listRuns', filter, admin)
    const runId = items[0]?.id ?? ''
    const same = await ask(operations, 'replayRun', { runId }, admin)
    expect(same).toMatchObject({ runId, before: 'proceed', now: 'proceed' })
    words = ['dd']
    const other = await ask(operations, 'replayRun', { runId }, admin)
    expect(other).toMatchObject({ before: 'proceed', now: 'reject' })
    const none = ask(operations, 'replayRun', { runId: 'no/guard' }, admin)
    await expect(none).rejects.toMatchObject({ code: 'not-found' })
  })
})

test('what is kept without secrets is said to be, and what is not kept is lacking', async () => {
  const redacted = await setUp({
    config: { store: { content: { runs: 'redacted' } } },
  })
  words = ['dd']
  const input = { hook: 'guard', since: 0 }
  const told = await ask(redacted.operations, 'backtest', input, admin)
  expect(told.differences).toMatchObject([
    { isRedacted: true },
    { isRedacted: true },
  ])
  const bare = await setUp({ config: { store: {} } })
  const report = await ask(bare.operations, 'backtest', input, admin)
  expect(report).toMatchObject({
    looked: 3,
    judged: 0,
    changed: 0,
    lackingCount: 3,
  })
  expect(report.lacking[0]?.reason).toContain('Nothing is kept')
  const { items } = await ask(bare.operations, 'listRuns', {}, admin)
  const run = items.find(({ hook }) => hook === 'guard')
  const again = ask(
    bare.operations,
    'replayRun',
    { runId: run?.id ?? '' },
    admin,
  )
  await expect(again).rejects.toMatchObject({ code: 'gone' })
})

/** As somebody would who is told that nobody trusts it. */
async function trustIt(
  operations: World['operations'],
  input: InputOf<'backtest'>,
): Promise<void> {
  let hash = ''
  await ask(operations, 'backtest', input, admin).catch((error: unknown) => {
    hash = /[0-9a-f]{64}/.exec(String(error))?.[0] ?? ''
  })
  await ask(operations, 'trust', { hashes: [hash] }, admin)
}

describe('a hook that is only written down', () => {
  test('is compared with what others came to without it', async () => {
    const { operations, place } = await setUp()
    const file = await place.write('user/draft.yaml', '')
    const script = `case "$(cat)" in *'"command":"dd"'*) echo "No dd." >&2; exit 2;; esac`
    const input = { hook: shell(script), file, since: 0 }
    const report = await ask(operations, 'backtest', input, admin)
    expect(report).toMatchObject({ looked: 3, judged: 3, changed: 1 })
    expect(report.differences).toMatchObject([
      { before: 'proceed', now: 'reject', reason: 'No dd.' },
    ])
  })

  test('that fails says so, and what its policy makes of it', async () => {
    const { operations, place } = await setUp()
    const file = await place.write('user/draft.yaml', '')
    const input = { hook: shell('exit 1'), file, since: 0 }
    const report = await ask(operations, 'backtest', input, admin)
    // Of the three, one was refused by another hook already.
    expect(report.changed).toBe(2)
    expect(report.differences).toMatchObject([
      { before: 'proceed', now: 'reject', failure: expect.any(String) },
      { now: 'reject' },
    ])
    const open = shell('exit 1', { onFailure: 'open' })
    const passed = await ask(
      operations,
      'backtest',
      { ...input, hook: open },
      admin,
    )
    expect(passed.changed).toBe(0)
  })

  test('T01 does not run where a project may have written it and nobody trusts it', async () => {
    const { operations, place } = await setUp()
    const mark = join(place.root, 'owned')
    const hook = shell(`touch ${mark}`)
    const inside = await place.write('root/.hookline/draft.yaml', '')
    for (const file of [undefined, inside]) {
      const input = { hook, since: 0, ...(file !== undefined && { file }) }
      const tried = ask(operations, 'backtest', input, admin)
      await expect(tried).rejects.toMatchObject({ code: 'conflict' })
    }
    await expect(readFile(mark)).rejects.toThrow('ENOENT')
  })

  test('runs where somebody has looked at it and trusts it', async () => {
    const { operations } = await setUp()
    const input = { hook: shell('echo No. >&2; exit 2'), since: 0 }
    await trustIt(operations, input)
    const report = await ask(operations, 'backtest', input, admin)
    expect(report).toMatchObject({ judged: 3, changed: 2 })
  })

  test('T06 does not run when a script that it names is another than the one trusted', async () => {
    const { operations, place } = await setUp()
    const mark = join(place.root, 'owned')
    const script = await place.write('root/judge.sh', 'exit 0')
    const handler = { type: 'command', argv: ['sh', script] }
    const input = { hook: { ...shell(''), handler }, since: 0 }
    await trustIt(operations, input)
    const first = await ask(operations, 'backtest', input, admin)
    expect(first).toMatchObject({ judged: 3, changed: 0 })
    await place.write('root/judge.sh', `touch ${mark}`)
    const tried = ask(operations, 'backtest', input, admin)
    await expect(tried).rejects.toMatchObject({ code: 'conflict' })
    await expect(readFile(mark)).rejects.toThrow('ENOENT')
  })

  test('that is wrong is refused, with what is wrong', async () => {
    const { operations } = await setUp()
    const odd = { hook: { ...shell('exit 0'), oops: 1 }, since: 0 }
    await expect(ask(operations, 'backtest', odd, admin)).rejects.toMatchObject(
      {
        code: 'bad-request',
        problems: [{ path: 'hook.oops' }],
      },
    )
    const unwaited = {
      hook: shell('exit 0', { execution: 'record' }),
      file: '/elsewhere/hooks.yaml',
      since: 0,
    }
    const tried = ask(operations, 'backtest', unwaited, admin)
    await expect(tried).rejects.toMatchObject({ code: 'conflict' })
    const gone = ask(operations, 'backtest', { hook: 'no', since: 0 }, admin)
    await expect(gone).rejects.toMatchObject({ code: 'not-found' })
  })

  test('has the folder of the session, and neither its name nor its turn', async () => {
    const { operations, place, workspace } = await setUp()
    const file = await place.write('user/draft.yaml', '')
    const out = join(place.user, 'envelope.json')
    const hook = shell(`cat > ${out}; pwd > ${out}.cwd`)
    await ask(operations, 'backtest', { hook, file, since: 0, limit: 1 }, admin)
    const { scope } = JSON.parse(await readFile(out, 'utf8'))
    expect(scope.sessionId).toMatch(/^backtest:/)
    expect(scope.turnId).toBeUndefined()
    expect((await readFile(`${out}.cwd`, 'utf8')).trim()).toBe(workspace.root)
  })
})

test('whoever goes away is not worked for any longer', async () => {
  const { operations, place } = await setUp()
  const file = await place.write('user/draft.yaml', '')
  const mark = join(place.user, 'begun')
  const hook = shell(`echo $$ >> ${mark}; sleep 600`)
  const leaving = new AbortController()
  const context = { ...admin, signal: leaving.signal }
  const tried = ask(operations, 'backtest', { hook, file, since: 0 }, context)
  const outcome = tried.then(
    () => 'ended',
    () => 'given up',
  )
  const begun = await vi.waitUntil(async () => {
    const text = await readFile(mark, 'utf8').catch(() => '')
    return text.endsWith('\n') ? text : undefined
  }, soon)
  leaving.abort()
  expect(await outcome).toBe('given up')
  for (const pid of begun.trim().split('\n')) {
    await vi.waitUntil(() => !isThere(Number(pid)), soon)
  }
})

test('what takes too long ends with what there is, and is no failure of the hook', async () => {
  const { workspace, place } = await setUp()
  const { backtest } = backtestOperations(workspace, { maxMs: 500 })
  const file = await place.write('user/draft.yaml', '')
  const hook = shell('sleep 600')
  const report = await backtest({ hook, file, since: 0 }, admin)
  expect(report).toMatchObject({ isCut: true, looked: 0, changed: 0 })
})
