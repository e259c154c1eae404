import { hrefOf } from '../../around/routes/addresses.ts'
import type { Approval, ApprovalRule } from '../../data/protocol.ts'
import type { PagedAnswer } from '../../data/use-pages.ts'
import { Button } from '../../ui/button.tsx'
import { Scroll } from '../../ui/page.tsx'
import { LastingRules } from './lasting-rules.tsx'
import { hrefOfWaiting, type Waiting } from './waiting.ts'
import { AnsweredRow, WaitingRow, waitingRowHeight } from './waiting-row.tsx'

interface WaitingListsProps {
  readonly open: PagedAnswer<Approval>
  readonly history: PagedAnswer<Approval>
  readonly rules: PagedAnswer<ApprovalRule>
  readonly waiting: readonly Waiting[]
  readonly selected: string | undefined
  readonly session: string | undefined
}

/** What waits, what is not asked any more, and what was answered. */
export function WaitingLists(props: WaitingListsProps) {
  const { open, history, rules, waiting, selected, session } = props
  return (
    <Scroll>
      <Heading>Waiting</Heading>
      {waiting.length === 0 && (
        <p className="px-4 pb-4 text-sm text-muted">Nothing waits for you.</p>
      )}
      <ul aria-label="Waiting">
        {waiting.map((one) => (
          <li key={one.key} style={{ height: waitingRowHeight }}>
            <WaitingRow
              waiting={one}
              href={hrefOfWaiting(one, session)}
              isSelected={one.key === selected}
            />
          </li>
        ))}
      </ul>
      <More pages={open} />
      {rules.items.length > 0 && <Heading>Not asked again</Heading>}
      <LastingRules rules={rules.items} session={session} />
      <More pages={rules} />
      {history.items.length > 0 && <Heading>Answered</Heading>}
      <ul aria-label="Answered">
        {history.items.map((approval) => (
          <li key={approval.id} style={{ height: waitingRowHeight }}>
            <AnsweredRow
              approval={approval}
              href={hrefOf('approval', { approvalId: approval.id, session })}
              isSelected={approval.id === selected}
            />
          </li>
        ))}
      </ul>
      <More pages={history} />
    </Scroll>
  )
}

function Heading({ children }: { readonly children: string }) {
  return (
    <h2 className="px-4 pt-4 pb-2 text-xs font-medium text-muted">
      {children}
    </h2>
  )
}

function More({ pages }: { readonly pages: PagedAnswer<unknown> }) {
  if (!pages.hasMore) return null
  return (
    <div className="p-3 text-center">
      <Button
        look="quiet"
        size="small"
        isBusy={pages.isLoadingMore}
        onClick={pages.loadMore}
      >
        Show more
      </Button>
    </div>
  )
}
