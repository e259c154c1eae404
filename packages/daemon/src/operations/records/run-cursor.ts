import type { RunCursor, TraceCursor } from '@hookline/agent/durable'
import { ProtocolError } from '../../protocol/errors.ts'

/** A place between two runs, as callers hand it back. */
export function writeRunCursor({ startedAt, id }: RunCursor): string {
  return `${startedAt}.${id}`
}

export function readRunCursor(given: string): RunCursor {
  const [, startedAt, id] = /^(\d{1,16})\.(.+)$/s.exec(given) ?? []
  if (startedAt !== undefined && id !== undefined) {
    return { startedAt: Number(startedAt), id }
  }
  const message = `"${given}" is no place in the list of runs; give the \`next\` of a page.`
  throw new ProtocolError('bad-request', message)
}

/** A place between two runs of a turn. */
export function writeTraceCursor({ startedAt, place, id }: TraceCursor) {
  return `${startedAt}.${place}.${id}`
}

export function readTraceCursor(given: string): TraceCursor {
  const [, startedAt, place, id] =
    /^(\d{1,15})\.(\d{1,15})\.(.+)$/s.exec(given) ?? []
  if (startedAt !== undefined && id !== undefined) {
    return { startedAt: Number(startedAt), place: Number(place), id }
  }
  const message = `"${given}" is no place in the trace of a turn; give the \`next\` of a page.`
  throw new ProtocolError('bad-request', message)
}
