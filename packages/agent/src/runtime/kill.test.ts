import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repetitions } from '../../../core/fixtures/repetitions.ts'
import { makePlace, removePlace } from '../store/fixtures/places.ts'
import { type Death, killAndCheck } from './fixtures/kill-and-check.ts'

const isLong = process.env['HOOKLINE_LONG'] === '1'
const lanes = 3
const kills = repetitions({ short: 100, long: 1_500 })
const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 1_000_000)
/** A kill takes a third of a second where nothing else runs. */
const timeout = 240_000 + kills * 4_000
const whole = {
  lost: 0,
  unasked: 0,
  duplicated: 0,
  unexpected: 0,
  stuck: 0,
  corrupt: 0,
}

/** The same numbers for the same seed. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** All lanes together have as many as there are to be. */
function killsOf(lane: number): number {
  return Math.floor((kills + lane) / lanes)
}

async function campaign(
  dialect: 'sqlite' | 'postgres',
  deaths: readonly Death[],
) {
  const place = await makePlace(dialect)
  const folder = mkdtempSync(join(tmpdir(), 'hookline-kills-'))
  try {
    return await killAndCheck({
      place,
      effects: join(folder, 'effects'),
      deaths,
    })
  } finally {
    await removePlace(place)
    rmSync(folder, { recursive: true, force: true })
  }
}

test(`F145 ${kills} kills at random moments lose nothing, repeat nothing, and leave nothing stuck or broken`, {
  timeout,
}, async () => {
  const found = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const random = randomFrom(seed + lane)
      // However fast the machine is: in the middle of the first few turns.
      const deaths: Death[] = Array.from({ length: killsOf(lane) }, () => ({
        afterAnswers: Math.floor(random() * 6),
        afterMs: random() * 12,
      }))
      // However slow it is: one of them in the middle of a call.
      deaths[0] = { inCall: 1 + Math.floor(random() * 6) }
      return await campaign('sqlite', deaths)
    }),
  )
  const turns = found.reduce((sum, one) => sum + one.turns, 0)
  const unknown = found.reduce((sum, one) => sum + one.unknown, 0)
  console.log(
    `kills: ${kills} (seed ${seed}), ${turns} turns, ${unknown} calls with an unknown outcome`,
  )
  for (const { damage } of found) expect(damage).toEqual(whole)
  // Kills that hit nothing would show nothing.
  expect(unknown).toBeGreaterThanOrEqual(lanes)
})

const moments = [
  'before-write',
  'before-commit',
  'after-commit',
  'before-notify',
]
const units = [
  'session.append',
  'runs.write',
  'audit.append',
  'job.add',
  'turn.settle',
]
/** The long tests have five on each engine. */
const killsEach = isLong ? 5 : 1

describe.each(['sqlite', 'postgres'] as const)('on %s', (dialect) => {
  test.concurrent.each(units)(
    'F141 F142 F145 a process that dies at any moment of %s has lost and repeated nothing',
    { timeout },
    async (unit) => {
      const deaths = moments.flatMap((moment) =>
        Array.from({ length: killsEach }, (_, kill) => ({
          at: `${unit}:${moment}`,
          hit: 1 + kill,
        })),
      )
      const { damage, turns } = await campaign(dialect, deaths)
      console.log(
        `${dialect}: ${killsEach} kills at each of ${unit}:{${moments.join()}}, ${turns} turns`,
      )
      expect(damage).toEqual(whole)
    },
  )
})
