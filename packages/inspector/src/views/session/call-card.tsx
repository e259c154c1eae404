import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { durationText } from '../../ui/times.tsx'
import { toneDot } from '../../ui/tone.ts'
import { ApprovalCard } from './approval-card.tsx'
import { CallDecider } from './call-decider.tsx'
import { callLook } from './call-look.ts'
import { answerText, argsText, resultText } from './call-text.ts'
import type { CallEntry } from './conversation/conversation.ts'
import { LargeResult } from './large-result.tsx'
import { NoteLine } from './note-line.tsx'

interface CallCardProps {
  readonly call: CallEntry
}

/** A call of a tool: what it is about, where it stands, what hooks made of it. */
export function CallCard({ call }: CallCardProps) {
  const { sessionId, turnId, within } = call
  const { callId, tool, args, state, result, elapsedMs, edits, question } = call
  const [isShown, setShown] = useState(false)
  const { tone, word } = callLook(call)
  const answered = answerText(question)
  const isLive = state === 'running' || state === 'asked'
  return (
    <div
      className={classNames(
        'overflow-hidden rounded-lg border bg-raised',
        state === 'asked' ? 'border-caution-mark' : 'border-line',
      )}
    >
      <button
        type="button"
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
        className="flex h-10 w-full items-center gap-2.5 px-3 text-left text-sm hover:bg-hover"
      >
        <span
          aria-hidden="true"
          className={classNames(
            'size-2 shrink-0 rounded-full',
            toneDot[tone],
            isLive && 'animate-pulse-soft',
          )}
        />
        <span className="shrink-0 font-medium">
          {within.length > 0 && (
            <span className="font-normal text-muted">
              <HostileText text={within.join(' › ')} /> ›{' '}
            </span>
          )}
          <HostileText text={tool} />
        </span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted">
          <HostileText text={argsText(args, { isShort: true })} />
        </span>
        {edits.some(({ kind }) => kind !== 'gap') && (
          <Badge tone="changed" className="hidden sm:inline-flex">
            changed
          </Badge>
        )}
        <span className="shrink-0 text-xs text-muted">
          {word}
          {elapsedMs !== undefined && state === 'executed' && (
            <span className="hidden sm:inline">
              {' '}
              · {durationText(elapsedMs)}
            </span>
          )}
        </span>
        <ChevronRight
          aria-hidden="true"
          className={classNames(
            'size-4 shrink-0 text-faint transition-transform',
            isShown && 'rotate-90',
          )}
        />
      </button>
      {state === 'asked' && question !== undefined && (
        <ApprovalCard approvalId={question.id} />
      )}
      {state === 'denied' && <Denial call={call} />}
      {edits.length > 0 && (
        <div className="flex flex-col gap-1 border-t border-line px-3 py-2">
          {edits.map((note) => (
            <NoteLine key={note.key} note={note} />
          ))}
        </div>
      )}
      {answered !== undefined && state !== 'denied' && (
        <p className="border-t border-line px-3 py-2 text-xs text-muted">
          <HostileText text={answered} />
        </p>
      )}
      {isShown && (
        <div className="flex flex-col gap-3 border-t border-line p-3">
          {state !== 'asked' && (
            <CodeBlock label="Arguments" text={argsText(args)} />
          )}
          {result !== undefined && state !== 'denied' && (
            <CodeBlock
              label="Result"
              text={resultText(result)}
              isBad={result.isError}
            />
          )}
          {call.hasLargeResult === true && (
            <LargeResult sessionId={sessionId} callId={callId} tool={tool} />
          )}
          {result === undefined && call.progress !== '' && (
            <CodeBlock label="Progress" text={call.progress} />
          )}
          <Link
            href={hrefOf('call', { callId, session: sessionId, turn: turnId })}
            className="self-start text-xs text-accent hover:underline"
          >
            Why was this {state === 'denied' ? 'denied' : 'allowed'}?
          </Link>
        </div>
      )}
    </div>
  )
}

/** Who has denied a call, and what was said about it. */
function Denial({ call }: CallCardProps) {
  const { sessionId, turnId, callId, result, question } = call
  const answered = answerText(question)
  const words = resultText(result)
  return (
    <div className="border-t border-line px-3 py-2">
      {question?.decision?.type === 'deny' ? (
        <p className="text-xs text-muted">
          <HostileText text={`${answered}.`} />
        </p>
      ) : (
        <CallDecider sessionId={sessionId} turnId={turnId} callId={callId} />
      )}
      {words !== `${answered}.` && (
        <p className="text-sm break-words text-bad">
          <HostileText text={words} sliceLength={1_000} />
        </p>
      )}
    </div>
  )
}
