import { ArrowUp } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { useShortcuts } from '../../around/keyboard/shortcuts.ts'
import { hrefOf, type ParamsOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import { navigate } from '../../around/routes/navigation.ts'
import { useIsShown } from '../../around/routes/use-is-shown.ts'
import { useAnswer, useDaemon } from '../../data/daemon-context.ts'
import { attend } from '../../data/live/attend.ts'
import { randomKey } from '../../data/random-key.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Page, Scroll } from '../../ui/page.tsx'
import { SessionRow, sessionRowHeight } from '../sessions/session-row.tsx'

interface LiveViewProps {
  readonly params: ParamsOf<'live'>
}

/** A new session with any agent, and those that go on now. */
export function LiveView({ params }: LiveViewProps) {
  return (
    <Page name="Live" title="Live">
      <Scroll>
        <div className="mx-auto flex max-w-3xl flex-col gap-10 px-4 py-10">
          <NewSession agent={params.agent} />
          <RecentSessions />
        </div>
      </Scroll>
    </Page>
  )
}

function NewSession({ agent: wanted }: { readonly agent: string | undefined }) {
  const { client } = useDaemon()
  const { data } = useAnswer('listAgents', {})
  const agents = data?.items ?? []
  const agent = wanted ?? agents[0]?.name ?? ''
  const about = agents.find(({ name }) => name === agent)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isShown = useIsShown()
  const start = async () => {
    const input = text.trim()
    if (input === '' || isBusy) return
    setBusy(true)
    try {
      const { id: sessionId } = await client.createSession({ agent })
      // An agent asks only where somebody is there, and whoever leaves for a
      // moment counts as there.
      const leave = attend(client, sessionId)
      try {
        await client.send({ sessionId, input, key: randomKey() })
      } finally {
        leave()
      }
      if (isShown()) navigate(hrefOf('session', { sessionId }))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }
  const field = useRef<HTMLTextAreaElement>(null)
  useShortcuts([
    {
      keys: 'i',
      about: 'Write to the agent',
      group: 'This view',
      run: () => field.current?.focus(),
    },
  ])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void start()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <h2 className="text-xl font-semibold">What should be done?</h2>
      <div className="rounded-lg border border-line-strong bg-raised focus-within:border-focus focus-within:shadow-[0_0_0_1px_var(--focus)]">
        <textarea
          ref={field}
          rows={3}
          aria-label="Write to the agent"
          placeholder="Write to the agent. Every hook that decides something on the way shows up."
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') field.current?.blur()
            const isSent = event.key === 'Enter' && !event.shiftKey
            if (!isSent || event.nativeEvent.isComposing) return
            event.preventDefault()
            void start()
          }}
          className="block w-full resize-none bg-transparent px-4 pt-3 text-base outline-none placeholder:text-faint"
        />
        <div className="flex items-center gap-3 p-2 pl-3">
          <SelectField
            label="Agent"
            value={agent}
            choices={agents.map(({ name }) => ({ value: name, label: name }))}
            onChoose={(next) =>
              navigate(hrefOf('live', { agent: next }), { replace: true })
            }
          />
          <span className="hidden min-w-0 flex-1 truncate text-xs text-muted sm:block">
            {about !== undefined && (
              <HostileText text={about.description ?? about.model} />
            )}
          </span>
          <Button
            look="primary"
            type="submit"
            className="ml-auto"
            isBusy={isBusy}
            disabled={text.trim() === ''}
            icon={<ArrowUp className="size-4" />}
          >
            Start
          </Button>
        </div>
      </div>
      {problem !== undefined && (
        <p role="alert" className="text-sm text-bad">
          <HostileText text={problem} />
        </p>
      )}
    </form>
  )
}

function RecentSessions() {
  const { data } = useAnswer('listSessions', { limit: 8 })
  const sessions =
    data?.items.filter(({ endReason }) => endReason === null) ?? []
  if (sessions.length === 0) return null
  return (
    <section aria-label="Recent sessions">
      <header className="flex items-baseline justify-between pb-2">
        <h2 className="text-sm font-semibold">Recent sessions</h2>
        <Link
          href={hrefOf('sessions')}
          className="text-xs text-accent hover:underline"
        >
          All sessions
        </Link>
      </header>
      <ul className="overflow-hidden rounded-lg border border-line">
        {sessions.map((session) => (
          <li
            key={session.id}
            style={{ height: sessionRowHeight }}
            className="-mb-px"
          >
            <SessionRow session={session} isSelected={false} isShort />
          </li>
        ))}
      </ul>
    </section>
  )
}
