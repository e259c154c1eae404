import type { Point } from 'hookline'
import { points } from 'hookline/lifecycle'
import type { Check, CheckedHook } from './check.ts'

/** What the engine gives a dispatch whose point says nothing. */
const dispatchMs = 60_000

/** Whether it can have the time that it may take. */
export function checkTimes({ hook }: CheckedHook): readonly Check[] {
  const { timeoutMs, execution } = hook
  const isUnwaited = execution === 'record' || execution === 'background'
  if (timeoutMs === undefined || isUnwaited || !hook.isEnabled) return []
  const known: Readonly<Record<string, Point>> = points
  const whole = known[hook.point]?.deadlineMs ?? dispatchMs
  const name = 'time'
  if (timeoutMs <= whole) {
    const message = `It has ${timeoutMs} ms of the ${whole} ms of its point.`
    return [{ name, level: 'ok', message }]
  }
  const message = `It may take ${timeoutMs} ms, but ${hook.point} has ${whole} ms for all of its hooks, so that it is cut off before; give it less.`
  return [{ name, level: 'warning', message }]
}
