import type { ReactNode } from 'react'
import { hrefOf } from '../../around/routes/addresses.ts'
import type { OpenedRun } from '../../data/protocol.ts'
import { ExactTime } from '../../ui/exact-time.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Fact } from '../../ui/section.tsx'
import { IdLink } from '../id-link.tsx'
import { DeadlineBar } from './deadline-bar.tsx'
import { RunAttempts } from './run-attempts.tsx'

interface RunFactsProps {
  readonly run: OpenedRun
}

/** Everything short that is known of a run. */
export function RunFacts({ run }: RunFactsProps) {
  const { handler, now, mode, startedAt, late } = run
  const { kind, id, version } = Object(handler)
  return (
    <aside aria-label="Facts" className="flex flex-col gap-6">
      <dl className="flex flex-col gap-4">
        <Fact name="Time against its deadline">
          <DeadlineBar run={run} />
        </Fact>
        <Fact name="Began">
          <ExactTime at={startedAt} />
        </Fact>
        {late !== undefined && (
          <Fact name="Heard of again">{lateWords(late)}</Fact>
        )}
        <Fact name="Matches">{now && <HostileText text={now.matcher} />}</Fact>
        <Fact name="When it fails">{now?.whenItFails}</Fact>
        <Fact name="Mode">
          {mode === 'evaluate' ? 'Evaluated only: it changes nothing' : mode}
        </Fact>
        {kind !== undefined && (
          <Fact name="Handler">
            <HostileText text={String(kind)} />
            <span className="block font-mono text-xs text-muted">
              <HostileText text={String(id)} sliceLength={200} />
            </span>
            <span
              className="block truncate font-mono text-xs text-muted"
              title={String(version)}
            >
              version <HostileText text={String(version)} sliceLength={80} />
            </span>
          </Fact>
        )}
        <Fact name="Written in">{sourceOf(run)}</Fact>
      </dl>
      {now === undefined ? (
        <Remark>This hook is in no plan any more.</Remark>
      ) : (
        !now.isSame && (
          <Remark>
            The hook was changed since: what is said of its plan, matcher and
            file is as it is now.
          </Remark>
        )
      )}
      <RunAttempts run={run} />
      <RunLinks run={run} />
    </aside>
  )
}

function Remark({ children }: { readonly children: ReactNode }) {
  return (
    <p className="rounded-md bg-caution-soft px-3 py-2 text-xs text-caution">
      {children}
    </p>
  )
}

function lateWords(late: unknown): string {
  const { settled, latencyMs } = Object(late)
  const when = Number(latencyMs)
  const what = settled === 'threw' ? 'It threw' : 'It answered'
  return `${what} after ${Math.round(when)} ms, when nobody waited any more`
}

function sourceOf({ now }: OpenedRun): ReactNode {
  if (now === undefined) return undefined
  const { kind, file, line, name, layer } = now.source
  if (file !== undefined) {
    return (
      <>
        <span className="font-mono text-xs break-all">
          <HostileText
            text={line === undefined ? file : `${file}:${line}`}
            sliceLength={500}
          />
        </span>
        {layer !== undefined && (
          <span className="block text-xs text-muted">{layer}</span>
        )}
      </>
    )
  }
  return name === undefined ? kind : `${kind} ${name}`
}

/** Where it belongs. */
function RunLinks({ run }: RunFactsProps) {
  const { sessionId, turnId, callId, agent, id, inside, worker, hook } = run
  return (
    <dl className="flex flex-col gap-4 border-t border-line pt-5">
      {callId !== undefined && (
        <IdLink
          name="Call"
          text={callId}
          href={hrefOf('call', { callId, session: sessionId, turn: turnId })}
        />
      )}
      {sessionId !== undefined && turnId !== undefined && (
        <IdLink
          name="Turn"
          text={turnId}
          href={hrefOf('turn', { sessionId, turnId, run: id })}
        />
      )}
      {sessionId !== undefined && (
        <IdLink
          name="Session"
          text={sessionId}
          href={hrefOf('session', { sessionId })}
        />
      )}
      {inside !== undefined && (
        <IdLink
          name="Inside of"
          text={inside}
          href={hrefOf('run', { runId: inside })}
        />
      )}
      <IdLink name="Hook" text={hook} href={hrefOf('runs', { hook })} />
      <Fact name="Agent">{agent && <HostileText text={agent} />}</Fact>
      <Fact name="Run">
        <span className="font-mono text-xs break-all">
          <HostileText text={id} />
        </span>
      </Fact>
      <Fact name="Daemon">
        {worker && (
          <span className="font-mono text-xs break-all">
            <HostileText text={worker} />
          </span>
        )}
      </Fact>
    </dl>
  )
}
