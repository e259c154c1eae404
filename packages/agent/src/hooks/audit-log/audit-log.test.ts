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
import { ask, defineHook, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listAudit } from '../../durable.ts'
import { createAgent, createPolicy } from '../../index.ts'
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
  await played({})
  const lines = await linesOf()
  expect(lines.map(({ event }) => event)).toEqual([
    ...['session.start', 'turn.start', 'model.start', 'model.end'],
    ...['tool.judged', 'tool.judged', 'tool.end', 'tool.end'],
    ...['model.start', 'model.end', 'turn.end', 'session.end'],
  ])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { at, session, turn, agent } = lines[4]
  expect(new Date(at).toISOString()).toBe(at)
  expect([session, turn, agent].every((one) => one !== '')).toBe(true)
  expect(lines[6].seal).toMatch(/^[0-9a-f]{64}$/)
})

test('a refusal is there with who refused, and its reason without secrets', async () => {
  const veto = defineHook({
    ...{ name: 'veto', on: toolGuard },
    run: () => reject(`Not with ${key}.`),
  })
  await played({}, { hooks: [veto] })
  const judged = (await linesOf()).find(({ event }) => event === 'tool.judged')
  expect(judged).toMatchObject({ decision: 'reject', by: 'veto' })
  expect(await readFile(file, 'utf8')).not.toContain(key)
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
