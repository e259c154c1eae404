import { type OpenedRun, policyWords } from '../../data/protocol.ts'
import { classNames } from '../../ui/class-names.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { deedOf } from './run-words.ts'

interface RunHeadlineProps {
  readonly run: OpenedRun
}

/** What it came to in one sentence, and in the hook's own words. */
export function RunHeadline({ run }: RunHeadlineProps) {
  const { hook, point, reason, failure, policy, failedOpen } = run
  return (
    <div className="flex flex-col gap-3">
      <p className="text-lg text-balance">
        <span className="font-semibold">
          <HostileText text={hook} />
        </span>{' '}
        {deedOf(run)}.{' '}
        <span className="text-muted">
          At <span className="font-mono text-sm">{point}</span>.
        </span>
      </p>
      {reason !== undefined && <Words text={reason} />}
      {failure !== undefined && (
        <div className="flex flex-col gap-1">
          <Words text={failure.message || failure.code} isBad />
          <p className="text-xs text-muted">
            <span className="font-mono">{failure.code}</span>
            {policy !== undefined && <> · {policyWords(policy, failedOpen)}</>}
          </p>
        </div>
      )}
    </div>
  )
}

interface WordsProps {
  readonly text: string
  readonly isBad?: boolean
}

function Words({ text, isBad = false }: WordsProps) {
  return (
    <blockquote
      className={classNames(
        'border-l-2 pl-3 text-sm break-words whitespace-pre-wrap',
        isBad ? 'border-bad text-bad' : 'border-line-strong text-ink',
      )}
    >
      <HostileText text={text} sliceLength={2_000} />
    </blockquote>
  )
}
