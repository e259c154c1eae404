import { type ReactNode, useState } from 'react'
import { useShortcuts } from '../../around/keyboard/shortcuts.ts'
import { hrefOf, type ParamsOf } from '../../around/routes/addresses.ts'
import { useAnswer } from '../../data/daemon-context.ts'
import { isGone } from '../../data/is-gone.ts'
import { Page } from '../../ui/page.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { Crumb } from '../crumb.tsx'
import { Deleted } from '../deleted.tsx'
import { Composer } from './composer.tsx'
import { useConversation } from './conversation/use-conversation.ts'
import { ConversationList } from './conversation-list.tsx'
import { QuestionsCard } from './questions-card.tsx'
import { SessionHeading, SessionMenu } from './session-heading.tsx'
import { TurnOutline } from './turn-outline.tsx'

interface SessionViewProps {
  readonly params: ParamsOf<'session'>
}

/** One session: what was said and done, as it happens, and a word in it. */
export function SessionView({ params: { sessionId } }: SessionViewProps) {
  // Another session is another view: nothing of the last one stays.
  return <OpenSession key={sessionId} sessionId={sessionId} />
}

function OpenSession({ sessionId }: { readonly sessionId: string }) {
  const session = useAnswer('getSession', { sessionId })
  const { conversation, error } = useConversation(sessionId)
  const questions = useAnswer('listQuestions', { sessionId })
  const [hasOutline, setOutline] = useState(true)
  useShortcuts([
    {
      keys: 'w',
      about: 'Go to what waits for you',
      group: 'This view',
      run: () => document.querySelector<HTMLElement>('[data-waits]')?.focus(),
    },
    {
      keys: 'o',
      about: 'Show or hide the outline of the turn',
      group: 'This view',
      run: () => setOutline(!hasOutline),
    },
  ])
  const problem = session.error ?? error
  const { data: detail } = session
  if (detail !== undefined && isGone(session.error)) {
    return (
      <NoSession>
        <Deleted what="session" />
      </NoSession>
    )
  }
  if (problem && detail === undefined) {
    return (
      <NoSession>
        <ErrorState
          title="This session cannot be shown"
          error={problem}
          onRetry={() => void session.refetch()}
        />
      </NoSession>
    )
  }
  if (detail === undefined) {
    return (
      <NoSession>
        <LoadingRows label="Loading the session" />
      </NoSession>
    )
  }
  const current = conversation.turns.at(-1)
  return (
    <Page
      name={`${detail.agent} ${sessionId}`}
      title={<SessionHeading session={detail} />}
      actions={<SessionMenu session={detail} />}
    >
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <ConversationList
            session={detail}
            conversation={conversation}
            footer={questions.data?.items.map((asked) => (
              <QuestionsCard key={asked.callId} asked={asked} />
            ))}
          />
          <Composer session={detail} />
        </div>
        {hasOutline && current !== undefined && (
          <TurnOutline sessionId={sessionId} turn={current} />
        )}
      </div>
    </Page>
  )
}

/** What stands there instead of a session, below the way back. */
function NoSession({ children }: { readonly children: ReactNode }) {
  const title = (
    <>
      <Crumb href={hrefOf('sessions')}>Sessions</Crumb>
      Session
    </>
  )
  return (
    <Page name="Session" title={title}>
      {children}
    </Page>
  )
}
