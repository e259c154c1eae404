import type { Clock } from 'hookline'
import { described, text } from '../../../define-hooks.ts'
import { AgentError } from '../../../index.ts'

/** For the options of hooks that count by the day. */
export const timeZoneShape = described(
  text({ maxLength: 64 }),
  'The time zone in which days begin, such as Europe/Berlin; default: UTC.',
)

/** What day it is, as in 2026-01-31; throws where there is no such zone. */
export function createDays(clock: Clock, timeZone = 'UTC'): () => string {
  const format = formatIn(timeZone)
  let quarter = Number.NaN
  let day = ''
  return () => {
    const wall = clock.wallAt(clock.now())
    // No zone begins a day within a quarter of an hour, and to ask is slow.
    const now = Math.floor(wall / 900_000)
    if (now !== quarter) {
      day = format.format(wall)
      quarter = now
    }
    return day
  }
}

const dayMs = 86_400_000

/**
 * The day that something counts in, where the last one counted in another.
 * Clocks differ: around midnight, one that is behind does not begin the day
 * before once more. One that is off by more than a day says nothing.
 */
export function dayToCount(last: string | undefined, today: string): string {
  if (last === undefined) return today
  const aheadMs = Date.parse(last) - Date.parse(today)
  return aheadMs > 0 && aheadMs <= dayMs ? last : today
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    // In Sweden, dates are written as they sort.
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  } catch (cause) {
    const message = `\`options.timeZone\` is "${timeZone}", which is no time zone; use one such as Europe/Berlin.`
    throw new AgentError('invalid-config', message, cause)
  }
}
