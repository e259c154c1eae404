import {
  chmod,
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
import { defineHook, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listAudit } from '../../durable.ts'
import { createPolicy } from '../../index.ts'
import { playLives } from '../fixtures/lives.ts'
import { callsOf, echoTool, play } from '../fixtures/play.ts'
import { playTeam } from '../fixtures/team.ts'
import { type AuditLogOptions, auditLog } from './audit-log.ts'
import { createLogFile } from './log-file.ts'

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
    const { turns, model } = await played({ onFailure: 'refuse' })
    expect(turns).toMatchObject([
      { status: 'rejected', reason: 'The audit log cannot be written.' },
    ])
    expect(model.requests).toHaveLength(0)
    await rm(file, { recursive: true })
    const { turns: again } = await played({ onFailure: 'refuse', syncs: true })
    expect(again).toMatchObject([{ status: 'succeeded' }])
  })

  test('is not written by way of a link', async () => {
    await mkdir(join(folder, 'deep'))
    await symlink(join(folder, 'elsewhere'), file)
    await played({})
    expect(await readdir(folder)).toEqual(['deep'])
  })
})

describe('a log file', () => {
  const about = { maxBytes: 4096, maxFiles: 3, syncs: false }

  test('begins anew when it is full, and keeps so many', async () => {
    const log = createLogFile({ ...about, file })
    const line = 'x'.repeat(999)
    await Promise.all(Array.from({ length: 30 }, () => log.append(line)))
    const names = await readdir(join(folder, 'deep'))
    expect(names.toSorted()).toEqual([
      ...['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2'],
    ])
    for (const name of names) {
      const { size } = await stat(join(folder, 'deep', name))
      expect(size).toBeLessThanOrEqual(4096)
    }
  })

  test('says how many were lost while it could not be written', async () => {
    await mkdir(file, { recursive: true })
    const log = createLogFile({ ...about, file })
    const lost = await Promise.allSettled(
      ['a', 'b'].map((line) => log.append(line)),
    )
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await rm(file, { recursive: true })
    await log.append('"c"')
    expect(await linesOf()).toEqual([{ event: 'audit.lost', count: 2 }, 'c'])
  })

  test('that others can read is no longer one', async () => {
    const log = createLogFile({ ...about, file })
    await log.append('"a"')
    await chmod(file, 0o644)
    await log.append('"b"')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })
})

test.each([
  [{ args: 'all' }, 'args'],
  [{ maxBytes: 1 }, 'maxBytes'],
  [{ path: 'x' }, 'file'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => auditLog(options as AuditLogOptions)).toThrow(word)
})
