import type { OpenedRun } from '../../data/protocol.ts'
import { Status } from '../../ui/badge.tsx'
import { preciseDuration } from '../../ui/times.tsx'
import { lookOfRun } from '../outcomes.ts'

interface RunAttemptsProps {
  readonly run: OpenedRun
}

/** Every try, where there was more than one. */
export function RunAttempts({ run }: RunAttemptsProps) {
  const { attempts, answer, mode, failedOpen, contributions } = run
  if (attempts.length < 2) return null
  return (
    <section aria-label="Attempts" className="flex flex-col gap-1.5">
      <h2 className="text-xs text-muted">Attempts</h2>
      <ol className="flex flex-col gap-1 text-sm">
        {attempts.map(({ attempt, state, latencyMs, failureCode }) => {
          const isLast = attempt === run.attempt
          const about = isLast
            ? { answer, mode, failedOpen, contributions }
            : { failedOpen: false }
          const { tone, word } = lookOfRun({ state, ...about })
          return (
            <li key={attempt} className="flex items-center gap-2">
              <span className="w-4 text-right text-xs text-faint tabular-nums">
                {attempt}
              </span>
              <Status tone={tone}>{word}</Status>
              <span className="ml-auto text-xs text-muted tabular-nums">
                {failureCode}{' '}
                {latencyMs === undefined ? '' : preciseDuration(latencyMs)}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
