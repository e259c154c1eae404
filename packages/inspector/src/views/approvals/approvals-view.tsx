import { ArrowLeft, ShieldCheck } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import { navigate } from '../../around/routes/navigation.ts'
import { useAnswer } from '../../data/daemon-context.ts'
import type { Approval, ApprovalRule } from '../../data/protocol.ts'
import { type PagedAnswer, usePages } from '../../data/use-pages.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Page, Scroll } from '../../ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { QuestionsCard } from '../session/questions-card.tsx'
import { AnsweredNotes } from './answered-notes.tsx'
import { ApprovalDetail } from './approval-detail.tsx'
import { useListKeys } from './use-list-keys.ts'
import { hrefOfWaiting, listWaiting, type Waiting } from './waiting.ts'
import { WaitingLists } from './waiting-lists.tsx'

interface ApprovalsViewProps {
  readonly params: {
    readonly approvalId?: string | undefined
    readonly question?: string | undefined
    readonly session?: string | undefined
  }
}

/** All that waits for a person, in any session, and what became of the rest. */
export function ApprovalsView({ params }: ApprovalsViewProps) {
  const { approvalId, question, session } = params
  const within = session === undefined ? {} : { sessionId: session }
  const open = usePages('listApprovals', { limit: 100, ...within })
  const asked = useAnswer('listQuestions', within)
  const history = usePages('listApprovals', {
    limit: 50,
    state: 'answered',
    ...within,
  })
  const rules = usePages('listRules', { limit: 50 })
  const waiting = useMemo(
    () => listWaiting(open.items, asked.data?.items ?? []),
    [open.items, asked.data],
  )
  const selected = approvalId ?? question
  const [answeredHere, setAnsweredHere] = useState<ReadonlySet<string>>(
    new Set(),
  )
  const show = (one: Waiting | undefined) =>
    navigate(
      one === undefined
        ? hrefOf('approvals', { session })
        : hrefOfWaiting(one, session),
      { replace: true },
    )
  const isReady = !open.isLoading && asked.data !== undefined
  useFirst({ waiting, isReady, isChosen: selected !== undefined, show })
  useListKeys({ waiting, selected, show })
  const goOn = (id: string) => {
    const at = waiting.findIndex(({ key }) => key === id)
    show(waiting[at + 1] ?? waiting[at - 1])
  }
  const shownQuestion = waiting.find(({ key }) => key === question)
  return (
    <Page
      name="Approvals"
      title={
        <>
          Approvals
          {waiting.length > 0 && (
            <Badge tone="caution">
              {waiting.length}
              {open.hasMore ? '+' : ''} waiting
            </Badge>
          )}
        </>
      }
      actions={session !== undefined && <SessionFilter session={session} />}
    >
      <AnsweredNotes
        waiting={waiting}
        answered={history.items}
        answeredHere={answeredHere}
      />
      <div className="flex min-h-0 flex-1">
        <div
          className={classNames(
            'flex min-h-0 flex-col border-line md:w-80 md:shrink-0 md:border-r lg:w-96',
            selected === undefined ? 'flex-1 md:flex-none' : 'max-md:hidden',
          )}
        >
          <Lists
            open={open}
            history={history}
            rules={rules}
            waiting={waiting}
            selected={selected}
            session={session}
          />
        </div>
        <Scroll
          className={classNames(selected === undefined && 'max-md:hidden')}
        >
          {selected !== undefined && (
            <Link
              href={hrefOf('approvals', { session })}
              className="flex h-10 items-center gap-1.5 px-4 text-xs text-muted md:hidden"
            >
              <ArrowLeft aria-hidden="true" className="size-3.5" /> All
              approvals
            </Link>
          )}
          {approvalId !== undefined && (
            <ApprovalDetail
              key={approvalId}
              approvalId={approvalId}
              onAnswered={(id) =>
                setAnsweredHere((last) => new Set([...last, id]))
              }
              onGoOn={goOn}
              onLeave={() => show(undefined)}
            />
          )}
          {approvalId === undefined && question !== undefined && (
            <ShownQuestion waiting={shownQuestion} />
          )}
          {selected === undefined && (
            <EmptyState icon={<ShieldCheck />} title="Nothing waits for you">
              What an agent may not do by itself shows up here, whichever
              session asks for it.
            </EmptyState>
          )}
        </Scroll>
      </div>
    </Page>
  )
}

interface FirstParts {
  readonly waiting: readonly Waiting[]
  readonly isReady: boolean
  readonly isChosen: boolean
  readonly show: (one: Waiting | undefined) => void
}

/**
 * Where there is room for both, what waits longest is opened at once. It stays
 * until somebody goes on: nothing ever moves below a hand.
 */
function useFirst({ waiting, isReady, isChosen, show }: FirstParts): void {
  const [first] = waiting
  const hasRoom = window.matchMedia('(min-width: 48rem)').matches
  const wasThere = useRef(false)
  useEffect(() => {
    if (!isReady || !hasRoom || wasThere.current) return
    if (isChosen || first !== undefined) wasThere.current = true
    if (!isChosen && first !== undefined) show(first)
  })
}

interface ListsProps {
  readonly open: PagedAnswer<Approval>
  readonly history: PagedAnswer<Approval>
  readonly rules: PagedAnswer<ApprovalRule>
  readonly waiting: readonly Waiting[]
  readonly selected: string | undefined
  readonly session: string | undefined
}

function Lists(props: ListsProps) {
  const { open, waiting } = props
  if (open.isLoading) return <LoadingRows label="Loading approvals" />
  if (open.error !== null && waiting.length === 0) {
    return (
      <ErrorState
        title="The approvals cannot be read"
        error={open.error}
        onRetry={open.retry}
      />
    )
  }
  return <WaitingLists {...props} />
}

function ShownQuestion({ waiting }: { readonly waiting: Waiting | undefined }) {
  if (waiting?.type !== 'questions') {
    return (
      <EmptyState title="These questions wait no longer">
        Somebody has answered them, or the turn has ended.
      </EmptyState>
    )
  }
  const { sessionId, agent } = waiting.asked
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-4 px-4 py-6 sm:px-6">
      <p className="text-sm text-muted">
        <span className="font-medium text-ink">
          <HostileText text={agent} sliceLength={200} />
        </span>{' '}
        asks in session{' '}
        <Link
          href={hrefOf('session', { sessionId })}
          className="font-mono text-xs text-accent hover:underline"
        >
          <HostileText text={sessionId} sliceLength={200} />
        </Link>
      </p>
      {/* What is said to one is not said to another. */}
      <QuestionsCard key={waiting.key} asked={waiting.asked} />
    </div>
  )
}

function SessionFilter({ session }: { readonly session: string }) {
  return (
    <Link
      href={hrefOf('approvals')}
      className="truncate text-xs text-accent hover:underline"
    >
      Only <HostileText text={session} sliceLength={40} /> · show all
    </Link>
  )
}
