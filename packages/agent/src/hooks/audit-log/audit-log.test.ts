import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, defineHook, reject, respond } from 'hookline'
import { toolGuard, toolPostCall, turnError } from 'hookline/lifecycle'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listAudit } from '../../durable.ts'
import { createAgent, createPolicy, defineTool } from '../../index.ts'
import { scriptedModel } from '../../testing/index.ts'
import { playLives } from '../fixtures/lives.ts'
import { callsOf, echoTool, play } from '../fixtures/play.ts'
import { playTeam } from '../fixtures/team.ts'
import { type AuditLogOptions, auditLog } from './audit-log.ts'
import { placeOf } from './place-of.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-audit-'))
  file = join(folder, 'deep', 'audit.jsonl')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const linesOf = async (path = file) =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const key = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789'
const tools = [echoTool('look'), echoTool('write', 'destructive')]
const script = [callsOf('look', { key, path: '/a' }, { b: 1 }), { text: 'Ok.' }]

const played = (options: AuditLogOptions, more: object = {}) =>
  play(script, { tools, plugins: [auditLog({ file, ...options })], ...more })

test('what an agent does is written down in order, for its owner alone', async () => {
  const { turns, events } = await played({})
  const lines = await linesOf()
  expect(lines.map(({ event }) => event)).toEqual([
    ...['session.start', 'turn.start', 'model.start', 'model.end'],
    ...['tool.judged', 'tool.judged', 'tool.end', 'tool.end'],
    ...['model.start', 'model.end', 'turn.end', 'session.end'],
  ])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { at } = lines[4]
  expect(new Date(at).toISOString()).toBe(at)
  const of = (key: string) => new Set(lines.map((line) => line[key]))
  expect(of('agent')).toEqual(new Set(['agent']))
  const { sessionId } = events[0] ?? {}
  expect(sessionId).toMatch(/./)
  expect(of('sessionId')).toEqual(new Set([sessionId]))
  // A session begins and ends outside of every turn.
  const turnIds = lines.slice(1, -1).map(({ turnId }) => turnId)
  expect(new Set(turnIds)).toEqual(new Set([turns[0]?.turnId]))
  expect(lines[6].seal).toMatch(/^[0-9a-f]{64}$/)
})

test('a refusal is there with who refused, and its reason without secrets', async () => {
  const veto = defineHook({
    ...{ name: 'veto', on: toolGuard },
    run: () => reject(`Not with ${key}.`),
  })
  const { turns, events } = await played({}, { hooks: [veto] })
  const judged = (await linesOf()).find(({ event }) => event === 'tool.judged')
  const place = {
    sessionId: events[0]?.sessionId ?? 'none',
    turnId: turns[0]?.turnId ?? 'none',
  }
  expect(judged).toMatchObject({ ...place, decision: 'reject', by: 'veto' })
  expect(await readFile(file, 'utf8')).not.toContain(key)
})

const failing = defineTool({
  ...{ name: 'break', description: 'Fails.', input: { type: 'object' } },
  safety: 'read_only',
  execute() {
    throw new Error(`It broke with ${key}.`)
  },
})

test('an error is there with its kind: of a tool, of a model and of the turn', async () => {
  const hooks = [
    defineHook({
      ...{ name: 'veto', on: toolGuard, match: { tool: 'write' } },
      run: () => reject('No.'),
    }),
    defineHook({
      ...{ name: 'keep', on: toolPostCall, match: { tool: 'look' } },
      run: () => reject('Not shown.'),
    }),
  ]
  const calls = ['break', 'write', 'look'].flatMap(
    (tool) => callsOf(tool, {}).calls,
  )
  const message = `Overloaded, ${key}.`
  await play([{ calls }, { error: { code: 'overloaded', message } }], {
    ...{ tools: [...tools, failing], hooks, policy: createPolicy() },
    plugins: [auditLog({ file })],
  })
  const lines = await linesOf()
  const ends = lines.filter(({ event }) => event === 'tool.end')
  const byTool = new Map(ends.map((line) => [line.tool, line]))
  expect(byTool.get('break')).toMatchObject({ isError: true, error: 'tool' })
  expect(byTool.get('write')).toMatchObject({ isError: true, error: 'denied' })
  // What was withheld has not failed; who withheld it is said.
  const withheld = byTool.get('look')
  expect(withheld).toMatchObject({ isError: false, by: 'keep' })
  expect(withheld).not.toHaveProperty('error')
  const last = lines.findLast(({ event }) => event === 'model.end')
  expect(last).toMatchObject({ error: 'overloaded' })
  const [failed, ...others] = lines.filter(
    ({ event }) => event === 'turn.error',
  )
  expect(failed).toMatchObject({ code: 'overloaded', decision: 'proceed' })
  expect(failed.message).toContain('Overloaded, ')
  expect(others).toEqual([])
  const end = lines.find(({ event }) => event === 'turn.end')
  expect(end).toMatchObject({ status: 'failed', error: failed.message })
  expect(await readFile(file, 'utf8')).not.toContain(key)
})

test('an error that a hook has answered is there with who did', async () => {
  const sorry = defineHook({
    ...{ name: 'sorry', on: turnError },
    run: () => respond([{ type: 'text', text: 'Sorry.' }]),
  })
  await play([{ error: { code: 'timeout' } }], {
    ...{ hooks: [sorry], plugins: [auditLog({ file })] },
  })
  const lines = await linesOf()
  const failed = lines.find(({ event }) => event === 'turn.error')
  const answered = { decision: 'respond', by: 'sorry' }
  expect(failed).toMatchObject({ code: 'timeout', ...answered })
})

test('so are questions and answers', async () => {
  const policy = createPolicy({ mode: 'ask-writes' })
  await play([callsOf('write', {}), { text: 'Ok.' }], {
    ...{ tools, policy, plugins: [auditLog({ file })] },
  })
  const events = (await linesOf()).map(({ event }) => event)
  expect(events).toContain('permission.asked')
})

describe('of arguments and results is kept', () => {
  test.each(['none', 'hashes'] as const)(
    '%s, also where a question is about them',
    async (args) => {
      const careful = defineHook({
        ...{ name: 'careful', on: toolGuard },
        run: () => ask('May it look at /a?'),
      })
      await played({ args, results: args }, { hooks: [careful] })
      const text = await readFile(file, 'utf8')
      expect(text).toContain('"by":"careful"')
      expect(text).not.toContain('/a')
    },
  )

  test.each([
    ['none', false, false],
    ['hashes', false, false],
    ['redacted', false, true],
    ['full', true, true],
  ] as const)('%s', async (level, hasSecret, hasPath) => {
    await played({ args: level, results: level })
    const text = await readFile(file, 'utf8')
    expect(text.includes(key)).toBe(hasSecret)
    expect(text.includes('/a')).toBe(hasPath)
    expect(text.includes('sha256')).toBe(level === 'hashes')
  })

  test('what people and models say only if one wants it', async () => {
    await played({})
    expect(await readFile(file, 'utf8')).not.toContain('Ok.')
    await played({ texts: 'redacted' })
    expect(await readFile(file, 'utf8')).toContain('Ok.')
  })
})

test('sub-agents are there with whom they work for', async () => {
  await playTeam([{ text: 'Did.' }], {
    ...{ tasks: 3, plugins: [auditLog({ file })] },
  })
  const lines = await linesOf()
  const ofChildren = lines.filter(({ agent }) => agent === 'child')
  expect(ofChildren.length).toBeGreaterThanOrEqual(15)
  expect(ofChildren.every(({ parents }) => parents[0] === 'main')).toBe(true)
})

test('everybody with a say in it is there', () => {
  const bob = { kind: 'user', id: 'bob' } as const
  const actor = { kind: 'service', id: 'ann', besides: [bob] } as const
  const about = { agent: 'main', origin: 'user', coreType: 'x' } as const
  expect(placeOf({ ...about, actor })).toMatchObject({ actor })
})

test('entries go into the chain of the store', async () => {
  let kept = ''
  await playLives([
    {
      ...{ script, tools, plugins: [auditLog({})] },
      async look({ parts, audit }) {
        await audit.flush()
        kept = JSON.stringify(await listAudit(parts))
      },
    },
  ])
  expect(kept).toContain('tool.end')
  expect(kept).toContain('turn.end')
  expect(kept).not.toContain(key)
})

describe('a file that cannot be written', () => {
  test('is said, and changes nothing', async () => {
    await mkdir(file, { recursive: true })
    const { turns } = await played({})
    expect(turns).toMatchObject([{ status: 'succeeded' }])
  })

  test('refuses turns and calls, if one wants that', async () => {
    await mkdir(file, { recursive: true })
    const { turns, model } = await played({ onFailure: 'closed' })
    expect(turns).toMatchObject([
      { status: 'rejected', reason: 'The audit log cannot be written.' },
    ])
    expect(model.requests).toHaveLength(0)
    await rm(file, { recursive: true })
    const { turns: again } = await played({ onFailure: 'closed', syncs: true })
    expect(again).toMatchObject([{ status: 'succeeded' }])
  })

  test('is not written by way of a link', async () => {
    await mkdir(join(folder, 'deep'))
    await symlink(join(folder, 'elsewhere'), file)
    await played({})
    expect(await readdir(folder)).toEqual(['deep'])
  })
})

test('lines that were lost are said, and when', async () => {
  await mkdir(file, { recursive: true })
  const plugins = [auditLog({ file })]
  const agent = createAgent({
    model: scriptedModel([{ text: 'Ok.' }]),
    plugins,
  })
  await agent.run('Go.').result
  await agent.runtime.drain()
  await rm(file, { recursive: true })
  await agent.close()
  const [first] = await linesOf()
  expect(first).toMatchObject({ event: 'audit.lost', count: 5 })
  expect(new Date(first.at).toISOString()).toBe(first.at)
})

test.each([
  [{ args: 'all' }, 'args'],
  [{ maxBytes: 1 }, 'maxBytes'],
  [{ path: 'x' }, 'file'],
  [{ onFailure: 'closed' }, 'file'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => auditLog(options as AuditLogOptions)).toThrow(word)
})
