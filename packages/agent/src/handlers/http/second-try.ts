import type { HttpSpec } from './http-sender.ts'
import type { RequestEnd } from './request-once.ts'

const shortPauseMs = 100
const longestPauseMs = 2_000
const leastTimeMs = 50
const passing: ReadonlySet<number> = new Set([429, 502, 503])

/** How long to wait before a second try; absent: there must be none. */
export function pauseBefore(
  first: RequestEnd,
  { mayRepeat = false }: HttpSpec,
  { remainingMs, wallMs }: { remainingMs: number; wallMs: number },
): number | undefined {
  const pauseMs =
    first.type === 'reply'
      ? pauseAfterReply(first.reply, mayRepeat, wallMs)
      : pauseAfterFailure(first, mayRepeat)
  if (pauseMs === undefined || pauseMs > longestPauseMs) return undefined
  return pauseMs + leastTimeMs < remainingMs ? pauseMs : undefined
}

function pauseAfterFailure(
  { failure, phase }: Extract<RequestEnd, { type: 'failure' }>,
  mayRepeat: boolean,
): number | undefined {
  // Nothing was sent, so that nothing can happen twice.
  if (phase === 'connecting') {
    return failure.code === 'network' ? shortPauseMs : undefined
  }
  const isOpen = failure.code === 'unknown-outcome'
  return mayRepeat && isOpen ? 0 : undefined
}

function pauseAfterReply(
  { status, headers }: { status: number; headers: HttpSpec['headers'] },
  mayRepeat: boolean,
  wallMs: number,
): number | undefined {
  if (!mayRepeat || !passing.has(status)) return undefined
  const asked = headers['retry-after']
  if (asked === undefined) return shortPauseMs
  if (/^\d{1,9}$/.test(asked)) return Number(asked) * 1_000
  const atMs = Date.parse(asked)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - wallMs)
}
