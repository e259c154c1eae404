import type { ReactNode } from 'react'
import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import { useIsShown } from '../../around/routes/use-is-shown.ts'
import { useAnswer } from '../../data/daemon-context.ts'
import { isGone } from '../../data/is-gone.ts'
import type { ApprovalDetail as Detail } from '../../data/protocol.ts'
import { Status } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Keys } from '../../ui/keys.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { Age } from '../../ui/times.tsx'
import { Deleted } from '../deleted.tsx'
import { Answers } from './decision/answers.tsx'
import { readShown } from './decision/read-shown.ts'
import { SafetyBadge, SealedCall } from './decision/sealed-call.tsx'
import { useDecision } from './decision/use-decision.ts'
import { answerText, stateWords } from './state-words.ts'
import { useDecisionKeys } from './use-decision-keys.ts'

interface ApprovalDetailProps {
  readonly approvalId: string
  readonly onAnswered: (id: string) => void
  /** It is answered, and still before whoever has answered it. */
  readonly onGoOn: (id: string) => void
  readonly onLeave: () => void
}

/** One approval: all that is known of it, and the answer to it. */
export function ApprovalDetail(props: ApprovalDetailProps) {
  const { approvalId, onAnswered, onGoOn } = props
  const isShown = useIsShown()
  const { data, error, refetch } = useAnswer('getApproval', { approvalId })
  if (error !== null && data === undefined) {
    return (
      <ErrorState
        title="This approval cannot be shown"
        error={error}
        onRetry={() => void refetch()}
      />
    )
  }
  if (data === undefined) return <LoadingRows label="Loading the approval" />
  if (isGone(error)) return <Deleted what="approval" />
  const answered = () => {
    onAnswered(approvalId)
    if (isShown()) onGoOn(approvalId)
  }
  return <Known approval={data} onAnswered={answered} onLeave={props.onLeave} />
}

interface KnownProps {
  readonly approval: Detail
  readonly onAnswered: () => void
  readonly onLeave: () => void
}

function Known({ approval, onAnswered, onLeave }: KnownProps) {
  const { tool, shown, about, state } = approval
  const { safety } = readShown(shown)
  const [tone, word] = stateWords(approval)
  return (
    <section
      aria-label={`Approval of ${tool}`}
      className="mx-auto flex max-w-3xl flex-col gap-4 px-4 pt-2 pb-6 sm:px-6 md:pt-6"
    >
      <header className="flex flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 text-lg font-semibold break-words">
            <HostileText text={tool} sliceLength={200} />
          </h2>
          <SafetyBadge safety={safety} />
          <Status tone={tone} isLive={state === 'pending'}>
            {word}
          </Status>
        </div>
        {about !== undefined && (
          <p className="line-clamp-2 text-sm text-muted">
            <HostileText text={about.description} sliceLength={300} />
          </p>
        )}
      </header>
      <Facts approval={approval} />
      {state === 'pending' ? (
        <Open approval={approval} onAnswered={onAnswered} onLeave={onLeave} />
      ) : (
        <Answered approval={approval} />
      )}
    </section>
  )
}

function Open({ approval, onAnswered, onLeave }: KnownProps) {
  const decision = useDecision(approval, onAnswered)
  const isReady = useDecisionKeys(decision, onLeave)
  return (
    <>
      <SealedCall approval={approval} />
      <div
        className={classNames(
          '-mx-4 border-t border-line bg-surface px-4 py-3 sm:-mx-6 sm:px-6',
          // A form may be longer than the page, and scrolls with it.
          decision.step.type !== 'edit' && 'sticky bottom-0',
        )}
      >
        <Answers decision={decision} />
        {decision.step.type === 'choose' && (
          <KeyHints approval={approval} isReady={isReady} />
        )}
      </div>
    </>
  )
}

interface KeyHintsProps {
  readonly approval: Detail
  /** Keys count from now on. */
  readonly isReady: boolean
}

function KeyHints({ approval: { refusal }, isReady }: KeyHintsProps) {
  const mayAllow = refusal === undefined
  return (
    <p
      aria-hidden="true"
      data-keys={isReady ? 'ready' : 'soon'}
      className={classNames(
        'hidden gap-4 pt-2 text-2xs text-muted md:flex',
        !isReady && 'invisible',
      )}
    >
      {mayAllow && <Hint keys="a" words="once" />}
      {mayAllow && <Hint keys="s" words="for the session" />}
      {mayAllow && <Hint keys="e" words="modify" />}
      {refusal?.code !== 'no-right' && <Hint keys="d" words="deny" />}
      <Hint keys="j k" words="others" />
    </p>
  )
}

function Hint({
  keys,
  words,
}: {
  readonly keys: string
  readonly words: string
}) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <Keys keys={keys} />
      {words}
    </span>
  )
}

/** What became of it, and where it is told why. */
function Answered({ approval }: { readonly approval: Detail }) {
  const { decidedAt, reason, callId, sessionId, turnId, state } = approval
  return (
    <>
      <div
        role="status"
        className="flex flex-col gap-1 rounded-md border border-line bg-sunken px-3 py-2 text-sm"
      >
        <p>
          <HostileText text={answerText(approval)} />
          {decidedAt !== undefined && (
            <span className="text-muted">
              {' · '}
              <Age at={decidedAt} />
            </span>
          )}
        </p>
        {reason !== undefined && (
          <p className="break-words text-muted">
            <HostileText text={reason} sliceLength={1_000} />
          </p>
        )}
        {state === 'edited' && (
          <p className="text-muted">
            The changed call was judged anew, and is asked about by itself.
          </p>
        )}
        {state === 'expired' && (
          <p className="text-muted">
            Nobody answered in time, which counts as a no.
          </p>
        )}
      </div>
      <SealedCall approval={approval} />
      <Link
        href={hrefOf('call', { callId, session: sessionId, turn: turnId })}
        className="w-fit text-xs text-accent hover:underline"
      >
        Every verdict about this call
      </Link>
    </>
  )
}

function Facts({ approval }: { readonly approval: Detail }) {
  const { agent, requestedBy, sessionId, cwd, askedAt, seal, about } = approval
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-xs sm:grid-cols-[max-content_1fr_max-content_1fr]">
      <Fact name="Agent">
        <HostileText text={agent} sliceLength={200} />
      </Fact>
      <Fact name="Asked">
        <Age at={askedAt} />
      </Fact>
      <Fact name="On behalf of">
        <HostileText text={requestedBy.join(', ')} sliceLength={200} />
      </Fact>
      <Fact name="Session">
        <Link
          href={hrefOf('session', { sessionId })}
          className="font-mono text-accent hover:underline"
        >
          <HostileText text={sessionId} sliceLength={200} />
        </Link>
      </Fact>
      <Fact name="Folder">
        <span className="font-mono">
          <HostileText text={cwd} sliceLength={300} />
        </span>
      </Fact>
      <Fact name="Seal">
        <span className="font-mono" title={seal}>
          <HostileText text={seal.slice(0, 16)} />
        </span>
      </Fact>
      {about !== undefined && (
        <Fact name="Tool of">
          <HostileText text={about.owner} sliceLength={200} />
        </Fact>
      )}
    </dl>
  )
}

interface FactProps {
  readonly name: string
  readonly children: ReactNode
}

function Fact({ name, children }: FactProps) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 truncate">{children}</dd>
    </>
  )
}
