import type { ReactNode } from 'react'
import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import {
  approvalWords,
  type CallExplanation,
  grantWords,
  verdictWords,
} from '../../data/protocol.ts'
import { classNames } from '../../ui/class-names.ts'
import { ExactTime } from '../../ui/exact-time.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Section } from '../../ui/section.tsx'
import { durationText } from '../../ui/times.tsx'
import { type Tone, toneDot } from '../../ui/tone.ts'
import { stateWords } from '../approvals/state-words.ts'
import { lookOfRun } from '../outcomes.ts'
import { tookText } from '../runs/run-row.tsx'

type Verdict = CallExplanation['verdicts'][number]
type AskedApproval = CallExplanation['approvals'][number]

interface CallStepsProps {
  readonly why: CallExplanation
}

/** Everybody who had a say, in the order in which they had it. */
export function CallSteps({ why }: CallStepsProps) {
  const { hidden, isUngated } = why
  const steps = stepsOf(why)
  const grant = grantWords(why)
  return (
    <Section title="Who had a say">
      <ol className="flex flex-col">
        {grant !== undefined && (
          <Step
            tone="neutral"
            head={<HostileText text={`Policy ${grant}`} />}
          />
        )}
        {isUngated && (
          <Step
            tone="caution"
            head="No hook has judged it, and policy did not ask for one"
          />
        )}
        {steps.map((step) =>
          'verdict' in step ? (
            <VerdictStep key={step.key} verdict={step.verdict} />
          ) : (
            <ApprovalStep key={step.key} approval={step.approval} />
          ),
        )}
      </ol>
      {hidden > 0 && (
        <p className="text-xs text-muted">
          {hidden} more {hidden === 1 ? 'hook has' : 'hooks have'} judged it
          that you may not see.
        </p>
      )}
    </Section>
  )
}

type CallStep = { readonly at: number; readonly key: string } & (
  | { readonly verdict: Verdict }
  | { readonly approval: AskedApproval }
)

function stepsOf({
  verdicts,
  approvals,
}: CallExplanation): readonly CallStep[] {
  const steps: readonly CallStep[] = [
    ...verdicts.map((verdict, at) => ({
      at: verdict.startedAt,
      key: `verdict ${at}`,
      verdict,
    })),
    ...approvals.map((approval) => ({
      at: approval.askedAt,
      key: approval.id,
      approval,
    })),
  ]
  return steps.toSorted((one, other) => one.at - other.at)
}

interface StepProps {
  readonly tone: Tone
  readonly head: ReactNode
  readonly aside?: ReactNode
  readonly words?: string | undefined
  readonly children?: ReactNode
}

function Step({ tone, head, aside, words, children }: StepProps) {
  return (
    <li className="relative flex gap-3 pb-4 last:pb-0 before:absolute before:top-4 before:bottom-0 before:left-[3.5px] before:w-px before:bg-line last:before:hidden">
      <span
        aria-hidden="true"
        className={classNames(
          'mt-1.5 size-2 shrink-0 rounded-full',
          toneDot[tone],
        )}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
          <span className="min-w-0 break-words">{head}</span>
          <span className="text-xs text-muted tabular-nums">{aside}</span>
        </div>
        {words !== undefined && words !== '' && (
          <blockquote className="border-l-2 border-line-strong pl-3 text-sm break-words whitespace-pre-wrap text-muted">
            <HostileText text={words} sliceLength={2_000} />
          </blockquote>
        )}
        {children}
      </div>
    </li>
  )
}

function VerdictStep({ verdict }: { readonly verdict: Verdict }) {
  const { hook, point, runId, state, reason } = verdict
  const took = tookText(verdict)
  const { tone } = lookOfRun({ ...verdict, state: state ?? 'completed' })
  const name = (
    <span className="font-medium">
      <HostileText text={hook} />
    </span>
  )
  return (
    <Step
      tone={tone}
      words={reason}
      head={
        <>
          {runId === undefined ? (
            name
          ) : (
            <Link
              href={hrefOf('run', { runId })}
              className="text-accent hover:underline"
            >
              {name}
            </Link>
          )}{' '}
          <HostileText text={verdictWords(verdict)} sliceLength={2_000} />
        </>
      }
      aside={
        <>
          <span className="font-mono">{point}</span>
          {took !== '' && ` · ${took}`}
        </>
      }
    />
  )
}

function ApprovalStep({ approval }: { readonly approval: AskedApproval }) {
  const { id, reason, requestedBy, askedAt, decidedAt } = approval
  const { approvers, votes } = approval
  const [tone] = stateWords(approval)
  return (
    <Step
      tone={tone}
      words={reason}
      head={
        <>
          People were asked:{' '}
          <Link
            href={hrefOf('approval', { approvalId: id })}
            className="font-medium text-accent hover:underline"
          >
            <HostileText text={approvalWords(approval)} />
          </Link>
        </>
      }
      aside={<ExactTime at={decidedAt ?? askedAt} />}
    >
      <p className="text-xs text-muted">
        Asked for <HostileText text={requestedBy.join(', ')} />
        {decidedAt !== undefined &&
          `, answered after ${durationText(decidedAt - askedAt)}`}
        {approvers > 1 && `; ${approvers} have to agree`}
      </p>
      {approvers > 1 &&
        votes.map(({ voter, decision, at }) => (
          <p key={`${voter} ${at}`} className="text-xs text-muted">
            <HostileText text={voter} />: {decision}, <ExactTime at={at} />
          </p>
        ))}
    </Step>
  )
}
