import { type Draft, draft } from './nodes.ts'
import type { ToldModelCall, ToldTurn } from './told-turn.ts'

interface ModelParts {
  readonly told: ToldTurn
  readonly steps: readonly Draft[]
  /** When points were done, in order. */
  readonly ends: readonly number[]
  /** Of the turn. */
  readonly end: number | undefined
}

/**
 * Model calls are told when they end, and a moment late. When they were is
 * known from the hooks around them, whose times are exact: those before their
 * call, and those of the tools that they asked for.
 */
export function addModelCalls(parts: ModelParts): void {
  const { told, steps, ends, end } = parts
  const indexes = new Map(steps.map(({ key }, at) => [key, at]))
  for (const model of told.models) {
    const step = steps[indexes.get(`step-${model.step}`) ?? -1]
    if (step === undefined) continue
    const around = step.children
      .filter(({ kind, name }) => kind === 'point' && name.startsWith('llm.'))
      .toSorted((one, other) => one.start - other.start)
    const calls = step.children.filter(({ kind }) => kind === 'tool')
    const asked = calls.flatMap(({ children }) => children)
    const firstAsked = Math.min(...asked.map(({ start }) => start))
    const latest = Math.min(
      model.end ?? step.end ?? end ?? Infinity,
      firstAsked,
    )
    const known = { step, around, latest, before: lastUntil(ends, latest), end }
    step.children.push(...attemptsOf(model, known))
  }
}

/** The last of them that is not later. */
function lastUntil(ends: readonly number[], latest: number): number {
  let [from, to] = [0, ends.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((ends[middle] ?? 0) <= latest) from = middle + 1
    else to = middle
  }
  return ends[from - 1] ?? latest
}

interface AroundModel {
  readonly step: Draft
  /** The points of model calls in its step. */
  readonly around: readonly Draft[]
  /** It had ended by then. */
  readonly latest: number
  /** What was done before that. */
  readonly before: number
  readonly end: number | undefined
}

/** The attempts that failed, as far as hooks saw them, and the one that did not. */
function attemptsOf(
  model: ToldModelCall,
  { around, latest, before: done, end: over }: AroundModel,
): readonly Draft[] {
  const { key } = model
  const from = model.start <= latest ? model.start : done
  const before = around.filter(
    ({ name, start }) => name === 'llm.pre_call' && start <= latest,
  )
  const starts = before.map((point) => point.end ?? point.start)
  const tries = starts.length === 0 ? [from] : starts
  const isOpen = model.end === undefined && over === undefined
  return tries.map((start, at) => {
    const isLast = at === tries.length - 1
    const next = around.find(
      (point) => point.name !== 'llm.pre_call' && point.start >= start,
    )
    const known = isLast ? latest : (before[at + 1]?.start ?? latest)
    const end = Math.min(next?.start ?? known, known)
    return draft({
      key: isLast ? key : `${key}-${at + 1}`,
      kind: 'model',
      name: model.model || 'Model',
      start: Math.min(start, end),
      end: isOpen && isLast && end === Infinity ? undefined : end,
      outcome: isLast ? outcomeOf(model, isOpen) : 'failed',
      about: {
        ...(isLast && { model }),
        ...(tries.length > 1 && { words: `Attempt ${at + 1}` }),
      },
    })
  })
}

function outcomeOf({ usage }: ToldModelCall, isOpen: boolean) {
  if (isOpen) return 'running'
  return usage === undefined ? 'unknown' : 'done'
}
