import {
  listAttempts,
  listBeside,
  type Store,
  type StoredRun,
} from '@hookline/agent/durable'
import type { Point } from 'hookline'
import { points } from 'hookline/lifecycle'
import type { CallContext } from '../../protocol/caller.ts'
import type { KeptValue, OpenedRun } from '../../protocol/schemas/runs.ts'
import { plainData } from '../plain-data.ts'
import { maySee } from '../visibility.ts'
import { listedRun } from './listed-run.ts'

/** What runs are read from. */
export interface RunSource {
  readonly store: Pick<Store, 'parts'>
  readonly plannedNow: (run: StoredRun) => OpenedRun['now']
}

/** One run with all that is kept of it, and the hook as it is planned now. */
export async function openRun(
  { store, plannedNow }: RunSource,
  run: StoredRun,
  { caller }: CallContext,
): Promise<OpenedRun> {
  const { parts } = store
  const [attempts, beside] = await Promise.all([
    listAttempts(parts, run.id),
    listBeside(parts, run),
  ])
  const seen = beside.filter((one) => maySee(caller, one.visibility))
  const given = keptValue(run.content)
  const { value, contributed } = saidBy(run)
  const opened = {
    ...listedRun(run, caller),
    attempts,
    given,
    value,
    change: changeOf(run, given, value),
    contributed,
    beside: seen.map(asNeighbour),
    hidden: beside.length - seen.length,
    now: plannedNow(run),
  }
  // All of it has these very names; what is undefined is left out.
  return plainData(opened) as unknown as OpenedRun
}

function asNeighbour(run: StoredRun) {
  const { id, hook, state, mode, note, answer } = run
  const { decided, failedOpen, contributions, startedAt, latencyMs } = run
  return {
    ...{ id, hook, state, mode, note, answer },
    ...{ decided, failedOpen, contributions, startedAt, latencyMs },
  }
}

function keptValue(text: string | undefined): KeptValue {
  if (text === undefined) return { type: 'not-kept' }
  try {
    return { type: 'whole', value: JSON.parse(text) }
  } catch {
    return { type: 'cut', text }
  }
}

const answersWithValue: ReadonlySet<string> = new Set([
  'transform',
  'replace',
  'respond',
])

interface SaidBy {
  readonly value: KeptValue | undefined
  readonly contributed: OpenedRun['contributed']
}

function saidBy({ said, answer = '' }: StoredRun): SaidBy {
  const kept = keptValue(said)
  const hasValue = answersWithValue.has(answer)
  if (kept.type !== 'whole') {
    return { value: hasValue ? kept : undefined, contributed: [] }
  }
  // The store has written an object with these.
  const { value, contributed } = kept.value as {
    readonly value: unknown
    readonly contributed: OpenedRun['contributed']
  }
  return {
    value: hasValue ? { type: 'whole', value } : undefined,
    contributed,
  }
}

/** Only where both sides are known whole. */
function changeOf(
  { point, answer }: StoredRun,
  given: KeptValue,
  value: KeptValue | undefined,
): OpenedRun['change'] {
  if (answer !== 'transform' && answer !== 'replace') return undefined
  if (given.type !== 'whole' || value?.type !== 'whole') return undefined
  const subject = pointNamed(point)?.subject
  const after = value.value
  if (subject === undefined) return { before: given.value, after }
  return { subject, before: Object(given.value)[subject], after }
}

function pointNamed(name: string): Point | undefined {
  const known: Readonly<Record<string, Point>> = points
  return Object.hasOwn(known, name) ? known[name] : undefined
}
