import type fc from 'fast-check'
import { agree, law } from '../fixtures/check-property.ts'
import {
  HookError,
  type HookRecord,
  type Outcome,
} from '../src/engine/index.ts'
import { type Expected, type Race, RaceModel } from './race-model.ts'
import { races } from './races.ts'
import { fallbackOf, nameOf, note, RealRace } from './real-race.ts'

/** One dispatch, whatever races in it, ends once, and as the model says. */
export function oneWinner(): fc.IAsyncProperty<[Race]> {
  return law(races, async (race) => {
    const expected = new RaceModel(race).play()
    const real = new RealRace(race)
    await real.play()
    agree('ends', real.ends.length, 1)
    const told = real.events.filter(({ type }) => type === 'dispatch-end')
    agree('dispatch-end events', told.length, 1)
    checkEnd(real, expected)
    checkRecords(real, expected)
    const before = JSON.stringify([real.ends, real.records])
    await real.finish()
    agree(
      'after late answers',
      JSON.stringify([real.ends, real.records]),
      before,
    )
    checkCounts(real, expected)
    checkTimers(real)
    await real.clock.pass(100)
    agree('timers in the end', real.clock.pending, 0)
  })
}

function checkEnd({ ends: [end], race }: RealRace, expected: Expected) {
  const { type, by, writers, ended } = expected
  const hook = by === undefined ? undefined : nameOf(by)
  if (end instanceof HookError) {
    agree('the error', [end.code, end.hook], [type, hook])
    return
  }
  const found = Object(end)
  agree('the outcome', [found.type, found.by], [type, hook])
  agree('the value', found.value, writers.at(-1) ?? null)
  agree('the writers', found.writers, writers.map(nameOf))
  const counted = ended.flatMap((one, at) => {
    if (one?.state === 'completed') return [at]
    const isFallback = race.racers[at]?.policy === 'fallback'
    return isFallback && one?.code !== undefined ? [fallbackOf(at)] : []
  })
  const notes = (end as Outcome).contributions.of(note)
  agree(
    'contributions',
    notes.map(({ value }) => value),
    counted,
  )
}

function checkRecords(real: RealRace, { ended, started, canceller }: Expected) {
  const { records, events, race, ends } = real
  const starts = events.flatMap((event) =>
    event.type === 'hook-start' ? [event.hook] : [],
  )
  agree('the runs', starts, started.map(nameOf))
  agree('records', records.length, race.racers.length)
  for (const [at, expected] of ended.entries()) {
    const own = records.filter(({ hook }) => hook === nameOf(at))
    agree(`records of ${nameOf(at)}`, own.length, 1)
    const [{ state, note: why, answer, failure } = {} as HookRecord] = own
    if (at === canceller) continue
    agree(
      `the record of ${nameOf(at)}`,
      [state, why, answer, failure?.code],
      [expected?.state, expected?.note, expected?.answer, expected?.code],
    )
  }
  const [end] = ends
  if (!(end instanceof HookError)) agree('records', end?.records, records)
}

function checkCounts(real: RealRace, { late, canceller }: Expected) {
  const counts = real.engine.counts()
  for (const [at, expected] of late.entries()) {
    const found = counts.get(nameOf(at))
    agree(`leaked runs of ${nameOf(at)}`, found?.leaked ?? 0, 0)
    if (at === canceller) continue
    agree(`late answers of ${nameOf(at)}`, found?.late ?? 0, expected)
  }
}

/** The engine keeps one timer for all deadlines, and lets it run out. */
function checkTimers({ clock }: RealRace) {
  if (clock.pending > 1) throw new Error(`${clock.pending} timers are left`)
}
