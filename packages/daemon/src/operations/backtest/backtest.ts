import { findDispatch, type StoredDispatch } from '@hookline/agent/durable'
import type { CallContext } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { InputOf, OutputOf } from '../../protocol/operations.ts'
import type { Workspace } from '../../reload/workspace.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { needRun } from '../records/runs.ts'
import {
  createScopes,
  type JudgeOptions,
  judgeDispatch,
  type Verdict,
} from './judge-dispatch.ts'
import { readDispatches } from './read-dispatches.ts'
import { openTested, type TestedHook, type Wanted } from './tested-hook.ts'
import { createTrial } from './trial.ts'

const defaultLimit = 1_000
/** How long one takes at most: whoever waits is a person. */
const defaultMaxMs = 120_000
const atOnce = 4
const maxListed = 500

/** Hooks tried on what happened; nothing comes of what they answer. */
export function backtestOperations(
  workspace: Workspace,
  { maxMs = defaultMaxMs }: { readonly maxMs?: number } = {},
): Pick<OperationService, 'backtest' | 'replayRun'> {
  return {
    backtest: (input, context) =>
      withTested(workspace, input, (tested) =>
        runBacktest(workspace, tested, { input, context, maxMs }),
      ),
    async replayRun({ runId }, context) {
      const run = await needRun(workspace, runId, context)
      return await withTested(workspace, { hook: run.hook }, async (tested) => {
        const dispatch = await findDispatch(workspace.store.parts, runId)
        if (dispatch === undefined) throw notThere(runId, 'It is gone.')
        const options = await judging(workspace, tested, context)
        const verdict = await judgeDispatch(workspace, dispatch, {
          ...options,
          deadlineMs: maxMs,
        })
        if (verdict.type === 'judged') return verdict.judged
        throw notThere(runId, verdict.reason)
      })
    },
  }
}

function notThere(runId: string, why: string): ProtocolError {
  return new ProtocolError('gone', `Run "${runId}" cannot be repeated. ${why}`)
}

async function withTested<T>(
  workspace: Workspace,
  wanted: Wanted,
  work: (tested: TestedHook) => Promise<T>,
): Promise<T> {
  const tested = await openTested(workspace, wanted)
  try {
    return await work(tested)
  } finally {
    await tested.close()
  }
}

async function judging(
  workspace: Workspace,
  { hook }: TestedHook,
  { signal }: CallContext,
): Promise<Omit<JudgeOptions, 'deadlineMs'>> {
  return {
    hook: hook.name,
    tryHook: await createTrial(workspace, hook),
    scopeOf: createScopes(workspace),
    signal,
  }
}

interface Asked {
  readonly input: InputOf<'backtest'>
  readonly context: CallContext
  readonly maxMs: number
}

async function runBacktest(
  workspace: Workspace,
  tested: TestedHook,
  { input, context, maxMs }: Asked,
): Promise<OutputOf<'backtest'>> {
  const { clock } = workspace.store.parts
  const endMs = clock.now() + maxMs
  const options = await judging(workspace, tested, context)
  const point = tested.hook.on.name
  const report = createReport(point)
  const dispatches = readDispatches(workspace, {
    point,
    since: input.since,
    ...(input.until !== undefined && { until: input.until }),
    ...(input.sessionId !== undefined && { sessionId: input.sessionId }),
    limit: input.limit ?? defaultLimit,
  })
  for await (const some of inGroups(dispatches, atOnce)) {
    context.signal.throwIfAborted()
    const deadlineMs = endMs - clock.now()
    if (deadlineMs <= 0) return { ...report.total(), isCut: true }
    const verdicts = some.map((dispatch) =>
      judgeDispatch(workspace, dispatch, { ...options, deadlineMs }),
    )
    const settled = await Promise.all(verdicts)
    // What was cut off because of us is nobody's failure.
    if (clock.now() >= endMs) return { ...report.total(), isCut: true }
    for (const [at, verdict] of settled.entries()) {
      const dispatch = some[at]
      if (dispatch !== undefined) report.add(dispatch, verdict)
    }
  }
  return report.total()
}

async function* inGroups<T>(
  items: AsyncIterable<T>,
  size: number,
): AsyncGenerator<readonly T[]> {
  let group: T[] = []
  for await (const item of items) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

type Report = OutputOf<'backtest'>

function createReport(point: string) {
  const lacking: Report['lacking'] = []
  const differences: Report['differences'] = []
  const counts = { looked: 0, judged: 0, matched: 0, changed: 0 }
  let lackingCount = 0
  return {
    add({ id, startedAt: at }: StoredDispatch, verdict: Verdict): void {
      counts.looked++
      if (verdict.type === 'lacking') {
        lackingCount++
        if (lacking.length < maxListed) {
          lacking.push({ dispatch: id, at, reason: verdict.reason })
        }
        return
      }
      counts.judged++
      if (verdict.isMatched) counts.matched++
      if (!verdict.isChanged) return
      counts.changed++
      if (differences.length < maxListed) differences.push(verdict.judged)
    },
    total: (): Report => ({
      point,
      ...counts,
      lacking,
      lackingCount,
      differences,
      isCut: false,
    }),
  }
}
