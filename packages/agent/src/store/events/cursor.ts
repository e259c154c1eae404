/** A place in a log: after so many, and of which log. */
export interface LogPlace {
  readonly log: string
  readonly position: number
}

export function cursorOf(log: string, position: number): string {
  return `${log}-${position}`
}

/** Undefined for what was never a cursor. */
export function placeIn(cursor: string): LogPlace | undefined {
  const [, log, position] = /^([0-9a-f]+)-(\d{1,15})$/.exec(cursor) ?? []
  if (log === undefined || position === undefined) return undefined
  return { log, position: Number(position) }
}
