import { hrefOf } from '../../around/routes/addresses.ts'
import { answererWords, type CallExplanation } from '../../data/protocol.ts'
import { ExactTime } from '../../ui/exact-time.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Fact } from '../../ui/section.tsx'
import { durationText } from '../../ui/times.tsx'
import { IdLink } from '../id-link.tsx'

interface CallFactsProps {
  readonly why: CallExplanation
}

/** Everything short that is known of a call. */
export function CallFacts({ why }: CallFactsProps) {
  const { sessionId, turnId, callId, owner, safety, approvedBy } = why
  const { startedAt, endedAt, argsHash, seal, status } = why
  // Of both the sentence at the top says more.
  const isNoFailure = status === 'denied' || why.error === 'withheld'
  const error = isNoFailure ? undefined : why.error
  return (
    <aside aria-label="Facts">
      <dl className="flex flex-col gap-4">
        <Fact name="Began">
          <ExactTime at={startedAt} />
        </Fact>
        <Fact name="Over after">
          {endedAt === undefined ? '' : durationText(endedAt - startedAt)}
        </Fact>
        <Fact name="Approved by">
          {approvedBy && <HostileText text={answererWords(approvedBy)} />}
        </Fact>
        <Fact name="Failed with">
          {error && <HostileText text={error} sliceLength={500} />}
        </Fact>
        <Fact name="Tool of">
          <HostileText text={owner} />
          <span className="text-muted">, {safety}</span>
        </Fact>
        <Hash name="Seal" text={seal} />
        <Hash name="SHA-256 of the arguments" text={argsHash} />
        <IdLink
          name="Turn"
          text={turnId}
          href={hrefOf('turn', { sessionId, turnId })}
        />
        <IdLink
          name="Session"
          text={sessionId}
          href={hrefOf('session', { sessionId })}
        />
        <Fact name="Call">
          <span className="font-mono text-xs break-all">
            <HostileText text={callId} />
          </span>
        </Fact>
      </dl>
    </aside>
  )
}

interface HashProps {
  readonly name: string
  readonly text: string | undefined
}

function Hash({ name, text }: HashProps) {
  if (text === undefined) return null
  return (
    <Fact name={name}>
      <span className="font-mono text-xs break-all text-muted">
        <HostileText text={text} />
      </span>
    </Fact>
  )
}
