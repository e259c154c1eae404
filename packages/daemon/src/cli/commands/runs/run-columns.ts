import type { ListedRun } from '../../../protocol/schemas/runs.ts'
import type { Column } from '../../output/table.ts'
import { duration, exactMs, exactTime, localTime } from '../../output/times.ts'

/** Runs as they are listed. */
export const runColumns: readonly Column<ListedRun>[] = [
  {
    header: 'WHEN',
    value: ({ startedAt }) => localTime(startedAt),
    exact: ({ startedAt }) => exactTime(startedAt),
  },
  { header: 'POINT', value: ({ point }) => point, canShrink: true },
  // The id of the run ends with it.
  { header: 'HOOK', value: ({ hook }) => hook, isForPrograms: true },
  { header: 'STATE', value: ({ state }) => state, isForPrograms: true },
  {
    header: 'ANSWER',
    value: (run) => answerWords(run) || run.state,
    exact: answerWords,
    style: stateStyle,
  },
  {
    header: 'TOOK',
    value: ({ latencyMs }) => latencyMs && duration(latencyMs),
    exact: ({ latencyMs }) => latencyMs && exactMs(latencyMs),
    align: 'right',
  },
  {
    header: 'CALL',
    value: ({ callId }) => callId,
    canShrink: true,
    isOptional: true,
  },
  { header: 'RUN', value: ({ id }) => id },
]

export function stateStyle({
  state,
  failedOpen,
}: Pick<ListedRun, 'state' | 'failedOpen'>) {
  if (failedOpen) return 'yellow' as const
  const isBad = state === 'failed' || state === 'timed_out'
  return isBad ? ('red' as const) : undefined
}

/** What came of a run, in a few words. */
export function answerWords(
  run: Pick<
    ListedRun,
    'answer' | 'failure' | 'decided' | 'mode' | 'failedOpen'
  >,
): string {
  const { answer, failure, decided, mode, failedOpen } = run
  const said = answer ?? (failure === undefined ? '' : failure.code)
  const marks = [
    ...(decided ? ['decided'] : []),
    ...(mode === 'evaluate' ? ['evaluated only'] : []),
    ...(failedOpen ? ['let pass'] : []),
  ]
  return marks.length === 0 ? said : `${said} (${marks.join(', ')})`
}
