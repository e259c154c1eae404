import { MessageSquarePlus, MessagesSquare } from 'lucide-react'
import { useRef } from 'react'
import { hrefOf, type ParamsOf } from '../../around/routes/addresses.ts'
import { navigate } from '../../around/routes/navigation.ts'
import { usePages } from '../../data/use-pages.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { AgentFilter } from '../agent-filter.tsx'
import { PagedCount, PagedList } from '../list/paged-list.tsx'
import { SearchField } from '../list/search-field.tsx'
import { useListSelection } from '../list/use-list-selection.ts'
import { useSettled } from '../list/use-settled.ts'
import { SessionRow, sessionRowHeight } from './session-row.tsx'
import { isSessionState, stateFilters } from './session-status.tsx'

interface SessionsViewProps {
  readonly params: ParamsOf<'sessions'>
}

/** All sessions, the newest first; what is filtered by stands in the address. */
export function SessionsView({ params }: SessionsViewProps) {
  const { agent, state, search = '' } = params
  const words = useSettled(search.trim())
  const filter = isSessionState(state) ? state : undefined
  const wanted = {
    limit: 100,
    ...(agent !== undefined && { agent }),
    ...(filter !== undefined && { state: filter }),
    ...(words !== '' && { search: words }),
  }
  const pages = usePages('listSessions', wanted, { keepPrevious: true })
  const set = (change: ParamsOf<'sessions'>) =>
    navigate(hrefOf('sessions', { ...params, ...change }), { replace: true })
  const field = useRef<HTMLInputElement>(null)
  const selected = useListSelection(pages.items, {
    open: (sessionId) => navigate(hrefOf('session', { sessionId })),
    search: () => field.current?.focus(),
  })
  return (
    <Page
      name="Sessions"
      title="Sessions"
      actions={
        <Button
          look="primary"
          size="small"
          icon={<MessageSquarePlus className="size-3.5" />}
          onClick={() => navigate(hrefOf('live'))}
        >
          New session
        </Button>
      }
      toolbar={
        <>
          <SearchField
            ref={field}
            label="Search sessions"
            placeholder="Words, agent, folder or id"
            className="w-full sm:w-72"
            value={search}
            onSearch={(next) => set({ search: next })}
          />
          <AgentFilter
            agent={agent}
            onChoose={(next) => set({ agent: next || undefined })}
          />
          <SelectField
            label="State"
            value={filter ?? ''}
            choices={stateFilters}
            onChoose={(next) => set({ state: next || undefined })}
          />
          <PagedCount pages={pages} one="session" many="sessions" />
        </>
      }
    >
      <PagedList
        pages={pages}
        name="sessions"
        label="Sessions"
        empty={<NoSessions isFiltered={Boolean(search || agent || filter)} />}
        rowHeight={sessionRowHeight}
        selected={selected}
        renderRow={(session, isSelected) => (
          <SessionRow session={session} isSelected={isSelected} />
        )}
      />
    </Page>
  )
}

/** What stands there where there are none. */
function NoSessions({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState icon={<MessagesSquare />} title="No session is like that">
      Take a filter away, or search for something else.
    </EmptyState>
  ) : (
    <EmptyState icon={<MessagesSquare />} title="No sessions yet">
      Start one here with “New session”, or in a terminal with{' '}
      <code className="font-mono text-xs">hookline run</code>.
    </EmptyState>
  )
}
