import type { Spans } from '../spans.ts'

/** A kind of secret that is known by how it begins. */
export interface Anchor {
  readonly prefix: string
  /**
   * Looks at what follows the prefix at that place, and tells up to where no
   * other prefix of this kind has to be looked at.
   */
  find(text: string, at: number, spans: Spans): number
}

/** Where the run ends that a sticky pattern reads; the pattern cannot fail. */
export function readRun(text: string, run: RegExp, start: number): number {
  run.lastIndex = start
  run.test(text)
  return run.lastIndex
}
