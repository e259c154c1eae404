import { countCodePoints, truncate } from '../../define/code-points.ts'
import type { Contributed } from '../../engine/index.ts'
import type { MergeDiagnostic } from './merge-diagnostic.ts'
import { promptBudgets } from './prompt-budgets.ts'
import type { ContextEntry } from './prompt-context.ts'

export interface ContextBudget {
  /** Default 16. */
  readonly maxEntries?: number
  /** Of all entries together; default 12 000. */
  readonly maxCodePoints?: number
}

/** An entry as the model gets it, and whose it is. */
export interface MergedEntry {
  readonly id: string
  readonly domain: string
  readonly content: string
  readonly sources: readonly string[]
  readonly isDurable: boolean
  readonly hook: string
  readonly codePoints: number
  readonly isCut: boolean
}

export interface MergedContext {
  readonly entries: readonly MergedEntry[]
  readonly diagnostics: readonly ContextDiagnostic[]
}

export type ContextDiagnostic = MergeDiagnostic<
  'context.truncated' | 'context.omitted'
>

/** The heaviest entries first, as given among equals, until a budget is used. */
export function mergeContext(
  contributed: readonly Contributed<ContextEntry>[],
  budget: ContextBudget = {},
): MergedContext {
  const { maxEntries = 16, maxCodePoints = promptBudgets.context } = budget
  const entries: MergedEntry[] = []
  const diagnostics: ContextDiagnostic[] = []
  let room = maxCodePoints
  for (const one of contributed.toSorted(byWeight)) {
    const hasRoom = entries.length < maxEntries && room > 0
    const entry = fitEntry(one, room)
    if (!hasRoom || entry.codePoints === 0) {
      diagnostics.push(diagnoseOmission(one, hasRoom))
      continue
    }
    if (entry.isCut) diagnostics.push(diagnoseCut(one))
    entries.push(entry)
    room -= entry.codePoints
  }
  return { entries, diagnostics }
}

type Given = Contributed<ContextEntry>

function byWeight(a: Given, b: Given): number {
  return (b.value.weight ?? 0) - (a.value.weight ?? 0)
}

function fitEntry({ by, value }: Given, room: number): MergedEntry {
  const { id, domain, sources = [], isDurable = false } = value
  const max = Math.min(room, value.maxCodePoints ?? room)
  const { text, cut } = truncate(value.content.trim(), max)
  return {
    id,
    domain,
    content: text,
    sources,
    isDurable,
    hook: by,
    codePoints: countCodePoints(text),
    isCut: cut,
  }
}

function diagnoseCut({ by, value }: Given): ContextDiagnostic {
  return {
    code: 'context.truncated',
    hook: by,
    message: `Context "${value.id}" of hook "${by}" was cut to fit its budget.`,
  }
}

function diagnoseOmission(
  { by, value }: Given,
  hasRoom: boolean,
): ContextDiagnostic {
  const why = hasRoom ? 'nothing of it is left' : 'the budget is used up'
  return {
    code: 'context.omitted',
    hook: by,
    message: `Context "${value.id}" of hook "${by}" was left out: ${why}.`,
  }
}
