import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Child, startChild } from '../fixtures/child.ts'
import { diskFolder } from '../fixtures/disk-folder.ts'
import { insertMeta, keysFrom, plain, unit } from '../fixtures/statements.ts'
import {
  type Call,
  callsIn,
  demandStrace,
  injecting,
  tracing,
} from '../fixtures/strace.ts'
import type { WriteInput } from '../fixtures/write-program.ts'
import type { Sabotage } from './messages.ts'
import { openSqlite } from './open-sqlite.ts'

const program = new URL('../fixtures/write-program.ts', import.meta.url)
const options = { ballastBytes: 4_096 }
const times = 6

beforeAll(demandStrace)

/** A file that has the schema already, in a folder of its own. */
async function newFile(): Promise<string> {
  const file = join(diskFolder(), 'store.db')
  await (await openSqlite({ file, ...options })).close()
  return file
}

function startWriter(
  file: string,
  before: readonly string[],
  more: Partial<WriteInput> = {},
): Child {
  const a = insertMeta('key-{n}-a', 'x'.repeat(900))
  const input: WriteInput = {
    place: { dialect: 'sqlite', file },
    options,
    times,
    unit: unit('pair', a, insertMeta('key-{n}-b')),
    ...more,
  }
  return startChild(program, input, { before })
}

/** Where something can go wrong: all calls of a run in which nothing does. */
async function callsOf(more: Partial<WriteInput> = {}): Promise<Call[]> {
  const file = await newFile()
  const log = `${file}.log`
  const child = startWriter(file, tracing(file, log), more)
  expect(await child.ended).toEqual({ code: 0, signal: null, errors: '' })
  const calls = callsIn(log)
  expect(calls.length).toBeGreaterThan(40)
  return calls
}

/**
 * Opens the file as the next process would. Nothing acknowledged is lost, no
 * unit is there by half; how many are there that were not acknowledged.
 */
async function check(file: string, lines: readonly string[]): Promise<number> {
  const database = await openSqlite({ file, ...options })
  const sound = await database.read(plain('PRAGMA integrity_check'))
  const rows = await database.read(keysFrom('key-'))
  await database.write(unit('after', insertMeta('after')))
  await database.close()
  expect(sound).toEqual([{ integrity_check: 'ok' }])
  const kept = rows.map(({ key }) => String(key))
  const whole = kept
    .filter((key) => key.endsWith('-a'))
    .map((key) => key.split('-')[1])
  expect(kept).toEqual(
    whole.flatMap((number) => [`key-${number}-a`, `key-${number}-b`]),
  )
  const acknowledged = lines.filter((line) => !line.includes(' '))
  expect(acknowledged.filter((number) => !whole.includes(number))).toEqual([])
  return whole.length - acknowledged.length
}

async function syncsOf(sabotage: Sabotage): Promise<number> {
  const calls = await callsOf({ times: 200, sabotage })
  return calls.filter(({ name }) => /^f(data)?sync$/.test(name)).length
}

test('F151 each acknowledged unit was synced at least once', async () => {
  const syncs = await syncsOf({})
  console.log(`syncs for 200 acknowledged units: ${syncs}`)
  expect(syncs).toBeGreaterThanOrEqual(200)
})

test('sabotage: with synchronous off hardly anything is synced, and that is noticed', async () => {
  expect(await syncsOf({ synchronous: 'OFF' })).toBeLessThan(200)
})

test('killed at every write and every sync of a file, nothing acknowledged is lost', async () => {
  let unacknowledged = 0
  const calls = await callsOf()
  for (const at of calls) {
    const file = await newFile()
    const before = injecting(file, { what: 'signal=KILL', at })
    const child = startWriter(file, before)
    expect(await child.ended).toMatchObject({ signal: 'SIGKILL' })
    const extra = await check(file, child.lines)
    expect(extra).toBeLessThanOrEqual(1)
    unacknowledged += extra
  }
  console.log(
    `killed at ${calls.length} calls (${namesOf(calls)}): 0 lost, 0 halves, 0 corrupt; ${unacknowledged} kept before they were acknowledged`,
  )
})

test.each([
  ['F147', 'ENOSPC', 'once'],
  ['F147', 'ENOSPC', 'lasting'],
  ['F149', 'EIO', 'once'],
  ['F149', 'EIO', 'lasting'],
] as const)(
  '%s %s at every write and every sync, %s, is never reported as success',
  async (_row, error, how) => {
    const outcomes = new Map<string, number>()
    const count = (name: string) =>
      outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
    const calls = await callsOf()
    for (const at of calls) {
      const file = await newFile()
      const isLasting = how === 'lasting'
      const what = `error=${error}` as const
      const before = injecting(file, { what, at, isLasting })
      const child = startWriter(file, before)
      const { code, errors } = await child.ended
      await check(file, child.lines)
      if (code === 0) expect(child.lines).toHaveLength(times)
      else expect(errors).toMatch(/code: '(full|unavailable)'/)
      if (code !== 0) count('not opened')
      for (const line of child.lines) count(line.split(' ')[1] ?? 'done')
    }
    const told = [...outcomes].map(([name, times]) => `${name} ${times}`)
    console.log(
      `${error} at ${calls.length} calls (${namesOf(calls)}), ${how}: ${told.join(', ')}`,
    )
    const names = [...outcomes.keys()]
    expect(names.filter((name) => !expected[error].includes(name))).toEqual([])
    expect(outcomes.get('done')).toBeGreaterThan(0)
  },
)

function namesOf(calls: readonly Call[]): string {
  return [...new Set(calls.map(({ name }) => name))].join(', ')
}

const expected = {
  ENOSPC: ['done', 'not opened', 'full', 'unavailable'],
  EIO: ['done', 'not opened', 'unavailable'],
}
