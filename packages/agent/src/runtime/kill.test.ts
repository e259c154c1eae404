import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePlace, removePlace } from '../store/fixtures/places.ts'
import { killAndCheck } from './fixtures/kill-and-check.ts'

const isLong = process.env['HOOKLINE_LONG'] === '1'
const lanes = 3
const kills = isLong ? 1_500 : 300
const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 1_000_000)

/** The same numbers for the same seed. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const timeout = isLong ? 1_800_000 : 400_000

test(`F145 ${kills} kills at random moments lose nothing, repeat nothing, and leave nothing stuck or broken`, {
  timeout,
}, async () => {
  const found = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const place = await makePlace('sqlite')
      const folder = mkdtempSync(join(tmpdir(), 'hookline-kills-'))
      try {
        return await killAndCheck({
          place,
          effects: join(folder, 'effects'),
          kills: kills / lanes,
          random: randomFrom(seed + lane),
        })
      } finally {
        await removePlace(place)
        rmSync(folder, { recursive: true, force: true })
      }
    }),
  )
  const turns = found.reduce((sum, one) => sum + one.turns, 0)
  const unknown = found.reduce((sum, one) => sum + one.unknown, 0)
  console.log(
    `kills: ${kills} (seed ${seed}), ${turns} turns, ${unknown} calls with an unknown outcome`,
  )
  for (const { damage } of found) {
    expect(damage).toEqual({
      lost: 0,
      duplicated: 0,
      unexpected: 0,
      stuck: 0,
      corrupt: 0,
    })
  }
  // Kills that hit nothing would show nothing.
  expect(unknown).toBeGreaterThan(0)
})
