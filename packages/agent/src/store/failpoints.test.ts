import { expect, test } from 'vitest'
import { countHits, type Failpoint, pass, passBlocking } from './failpoints.ts'
import { startChild } from './fixtures/child.ts'
import { forEachDatabase } from './fixtures/databases.ts'
import { insertMeta, keysFrom, unit } from './fixtures/statements.ts'
import type { WriteInput } from './fixtures/write-program.ts'

const program = new URL('./fixtures/write-program.ts', import.meta.url)
const moments = [
  'before-write',
  'before-commit',
  'after-commit',
  'before-notify',
]
const isKept = (moment: string) => moments.indexOf(moment) >= 2
/** How often each moment is hit: three on each engine are six. */
const kills = process.env['HOOKLINE_LONG'] === '1' ? 5 : 3

test('without failpoints there is nothing to pass', () => {
  expect(countHits(undefined)).toBeUndefined()
  expect(countHits({})).toBeUndefined()
})

test('a failpoint is hit once, at the given time, and only where it is', async () => {
  const hit = countHits({ 'effect:after-effect': { hit: 2, do: 'throw' } })
  await pass(hit, 'effect:after-effect')
  await pass(hit, 'effect:before-write')
  await expect(pass(hit, 'effect:after-effect')).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The failpoint "effect:after-effect" was hit.',
  })
  await pass(hit, 'effect:after-effect')
})

test('a stall takes its time, and then goes on', async () => {
  const stall: Failpoint = { do: 'stall', stallMs: 30 }
  const start = performance.now()
  passBlocking(countHits({ place: stall }), 'place')
  await pass(countHits({ place: stall }), 'place')
  expect(performance.now() - start).toBeGreaterThanOrEqual(55)
})

forEachDatabase((kit) => {
  test.each(moments)(
    'a unit that fails %s is kept only if it was committed',
    async (moment) => {
      const failpoints = {
        [`step:${moment}`]: { hit: 2, do: 'throw' },
      } as const
      const database = await kit.open({ failpoints })
      await database.write(unit('step', insertMeta('key-1')))
      const second = database.write(unit('step', insertMeta('key-2')))
      await expect(second).rejects.toMatchObject({ code: 'unavailable' })
      await database.write(unit('step', insertMeta('key-3')))
      const kept = await database.read(keysFrom('key-'))
      expect(kept.map(({ key }) => key)).toEqual(
        isKept(moment) ? ['key-1', 'key-2', 'key-3'] : ['key-1', 'key-3'],
      )
    },
  )

  test(`I3 a process killed at any moment of a unit, ${kills} times each, loses nothing acknowledged`, async () => {
    const database = await kit.open()
    const counts = new Map<string, number>()
    const rounds = moments.flatMap((moment) =>
      Array.from({ length: kills }, (_, index) => ({ moment, hit: index + 1 })),
    )
    const runRound = async ({
      moment,
      hit,
    }: {
      moment: string
      hit: number
    }) => {
      const prefix = `${moment}-${hit}-`
      const input: WriteInput = {
        place: kit.placeOf(database),
        options: { failpoints: { [`step:${moment}`]: { hit, do: 'kill' } } },
        times: 10,
        unit: unit(
          'step',
          insertMeta(`${prefix}{n}`),
          insertMeta(`${prefix}{n}/2`),
        ),
      }
      const child = startChild(program, input)
      expect(await child.ended).toMatchObject({ signal: 'SIGKILL', errors: '' })
      expect(child.lines).toEqual(numbers(hit - 1))
      counts.set(moment, (counts.get(moment) ?? 0) + 1)
      const kept = await database.read(keysFrom(prefix))
      const last = isKept(moment) ? hit : hit - 1
      expect(kept.map(({ key }) => key)).toEqual(
        numbers(last).flatMap((n) => [`${prefix}${n}`, `${prefix}${n}/2`]),
      )
    }
    for (let start = 0; start < rounds.length; start += 4) {
      await Promise.all(rounds.slice(start, start + 4).map(runRound))
    }
    expect([...counts.values()]).toEqual(moments.map(() => kills))
    const told = [...counts].map(([moment, count]) => `${moment} ${count}`)
    console.log(`killed in a unit on ${kit.name}: ${told.join(', ')}`)
  }, 60_000)
})

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1))
}
