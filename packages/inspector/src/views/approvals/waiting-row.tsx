import { MessageCircleQuestion } from 'lucide-react'
import { Link } from '../../around/routes/link.tsx'
import type { Approval, PendingQuestions } from '../../data/protocol.ts'
import { Status } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Age } from '../../ui/times.tsx'
import { Expiry } from './decision/expiry.tsx'
import { shortArgs } from './decision/read-shown.ts'
import { stateWords } from './state-words.ts'
import type { Waiting } from './waiting.ts'

interface RowProps {
  readonly href: string
  readonly isSelected: boolean
}

/** The height of a row, as its list has to know it. */
export const waitingRowHeight = 68

const rowLook =
  'flex h-full flex-col justify-center gap-0.5 border-b border-line px-4 transition-colors hover:bg-hover focus-visible:-outline-offset-2'
const selectedLook = 'bg-hover shadow-[inset_2px_0_0_var(--accent)]'

export function WaitingRow({
  waiting,
  href,
  isSelected,
}: RowProps & { readonly waiting: Waiting }) {
  return (
    <Link
      href={href}
      aria-current={isSelected ? 'true' : undefined}
      className={classNames(rowLook, isSelected && selectedLook)}
    >
      {waiting.type === 'approval' ? (
        <ApprovalWords approval={waiting.approval} />
      ) : (
        <QuestionWords asked={waiting.asked} />
      )}
    </Link>
  )
}

function ApprovalWords({ approval }: { readonly approval: Approval }) {
  const { tool, agent, shown, askedAt, expiresAt } = approval
  return (
    <>
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 truncate text-sm font-medium">
          <HostileText text={tool} sliceLength={100} />
        </span>
        <span className="ml-auto shrink-0 text-xs text-muted">
          <Age at={askedAt} />
        </span>
      </span>
      <span className="truncate font-mono text-xs text-muted">
        <HostileText text={shortArgs(shown)} />
      </span>
      <span className="flex gap-2 text-xs text-muted">
        <span className="min-w-0 truncate">
          <HostileText text={agent} sliceLength={100} />
        </span>
        <Expiry at={expiresAt} className="ml-auto shrink-0" />
      </span>
    </>
  )
}

function QuestionWords({ asked }: { readonly asked: PendingQuestions }) {
  const { length, 0: first } = asked.questions
  return (
    <>
      <span className="flex items-center gap-1.5 text-sm font-medium">
        <MessageCircleQuestion
          aria-hidden="true"
          className="size-3.5 shrink-0 text-caution"
        />
        {length === 1 ? 'A question' : `${length} questions`}
      </span>
      <span className="truncate text-xs text-muted">
        <HostileText text={first?.question ?? ''} sliceLength={300} />
      </span>
      <span className="truncate text-xs text-muted">
        <HostileText text={asked.agent} sliceLength={100} />
      </span>
    </>
  )
}

/** A row of the history. */
export function AnsweredRow({
  approval,
  href,
  isSelected,
}: RowProps & { readonly approval: Approval }) {
  const { tool, shown, askedAt, decidedAt, decidedBy } = approval
  const [tone, word] = stateWords(approval)
  return (
    <Link
      href={href}
      aria-current={isSelected ? 'true' : undefined}
      className={classNames(rowLook, isSelected && selectedLook)}
    >
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 truncate text-sm">
          <HostileText text={tool} sliceLength={100} />
        </span>
        <span className="ml-auto shrink-0 text-xs text-muted">
          <Age at={decidedAt ?? askedAt} />
        </span>
      </span>
      <span className="truncate font-mono text-xs text-muted">
        <HostileText text={shortArgs(shown)} />
      </span>
      <span className="flex min-w-0 gap-2 text-xs text-muted">
        <Status tone={tone}>{word}</Status>
        {decidedBy !== undefined && (
          <span className="min-w-0 truncate">
            by <HostileText text={decidedBy} sliceLength={100} />
          </span>
        )}
      </span>
    </Link>
  )
}
