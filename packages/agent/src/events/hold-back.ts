import type { HoldBack, PlannedHook, SafeUntil, Table } from 'hookline'
import { llmPostCall, turnOutput } from 'hookline/lifecycle'

/** How much of a text may go out before the gates have answered. */
export interface Holding {
  /** Nothing may. */
  readonly isAll: boolean
  /** The sentence that is not complete stays. */
  readonly isSentence: boolean
  /** So many of the newest code points stay. */
  readonly window: number
  /** What these say is safe may go out, as far as all of them do. */
  readonly scans: readonly SafeUntil[]
}

/** A text that still grows. */
export interface Growing {
  /** The end of what has gone out of it. */
  readonly before: string
  readonly held: string
  /** It has stopped growing. */
  readonly isWhole: boolean
}

const nothing: Holding = Object.freeze({
  isAll: false,
  isSentence: false,
  window: 0,
  scans: [],
})

export interface TableHolding {
  /** Until `llm.post_call` has answered. */
  readonly reply: Holding
  /** Until `turn.output` has, if the reply is the last one. */
  readonly output: Holding
}

const known = new WeakMap<Table, TableHolding>()

/** What the gates of a table hold back: what any of them asks for. */
export function holdingOf(table: Table): TableHolding {
  const cached = known.get(table)
  if (cached !== undefined) return cached
  const holding = {
    reply: holdingAt(table, llmPostCall.name),
    output: holdingAt(table, turnOutput.name),
  }
  known.set(table, holding)
  return holding
}

function holdingAt(table: Table, point: string): Holding {
  const gates = table.plans.get(point)?.waited ?? []
  return gates
    .filter(({ mode }) => mode === 'enforce')
    .map(holdingOfHook)
    .reduce(joinHolding, nothing)
}

function holdingOfHook({ hook, holdBack }: PlannedHook): Holding {
  const { safeUntil } = hook
  if (safeUntil === undefined) return readHoldBack(holdBack)
  return { ...nothing, scans: [safeUntil] }
}

function readHoldBack(holdBack: HoldBack): Holding {
  if (typeof holdBack === 'object') return { ...nothing, ...holdBack }
  const isAll = holdBack === 'all'
  return { ...nothing, isAll, isSentence: holdBack === 'sentence' }
}

/** Both: the more that either keeps back. */
export function joinHolding(a: Holding, b: Holding): Holding {
  return {
    isAll: a.isAll || b.isAll,
    isSentence: a.isSentence || b.isSentence,
    window: Math.max(a.window, b.window),
    scans: [...a.scans, ...b.scans],
  }
}

/** How many code units of a text that is still growing may go out. */
export function releasable(text: Growing, holding: Holding): number {
  const { isAll, isSentence, window, scans } = holding
  if (isAll) return 0
  const { held } = text
  const inSentences = isSentence ? endOfSentences(held) : held.length
  const free = Math.min(inSentences, beforeWindow(held, window))
  return scans.reduce(
    (least, scan) => Math.min(least, safeIn(text, scan)),
    free,
  )
}

/** What a gate says is safe; nothing, if it says no such thing. */
function safeIn({ before, held, isWhole }: Growing, scan: SafeUntil): number {
  try {
    const safe = scan(before + held, before.length, isWhole) - before.length
    if (!(safe > 0)) return 0
    // A pair of code units is let out whole.
    return isHigh(held, safe - 1) ? safe - 1 : safe
  } catch {
    return 0
  }
}

// Only scripts that put spaces between sentences need to see one.
const sentenceEnd = /[.!?…]+["'’”»)\]]*\s+|[。！？]+[」』）”’]*\s*|\n+/gu

function endOfSentences(text: string): number {
  let end = 0
  for (const match of text.matchAll(sentenceEnd)) {
    end = match.index + match[0].length
  }
  return end
}

function beforeWindow(text: string, window: number): number {
  let at = text.length
  for (let left = window; left > 0 && at > 0; left--) {
    const isPair = isLow(text, at - 1) && isHigh(text, at - 2)
    at -= isPair ? 2 : 1
  }
  // The other half of a pair may be on its way.
  return isHigh(text, at - 1) ? at - 1 : at
}

function isHigh(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}
