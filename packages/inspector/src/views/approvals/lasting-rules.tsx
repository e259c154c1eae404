import { useState } from 'react'
import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import { useAnswer, useDaemon, useRefresh } from '../../data/daemon-context.ts'
import type { ApprovalRule } from '../../data/protocol.ts'
import { Button } from '../../ui/button.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Age } from '../../ui/times.tsx'

interface LastingRulesProps {
  readonly rules: readonly ApprovalRule[]
  readonly session: string | undefined
}

/** What need not be asked again, until somebody takes it back. */
export function LastingRules({ rules, session }: LastingRulesProps) {
  const { data: info } = useAnswer('info', {})
  const { revoke, revoking, problem } = useRevoke()
  const mayRevoke = info?.caller.rights.includes('approve') ?? false
  return (
    <>
      {problem !== undefined && (
        <p role="alert" className="px-4 pb-2 text-xs text-bad">
          {problem}
        </p>
      )}
      <ul aria-label="Not asked again">
        {rules.map((rule) => (
          <li
            key={rule.id}
            className="flex items-center gap-3 border-b border-line px-4 py-2"
          >
            <RuleWords rule={rule} session={session} />
            {mayRevoke && (
              <Button
                look="danger"
                size="small"
                isBusy={revoking === rule.id}
                aria-label={`Ask again about ${rule.tool}`}
                onClick={() => void revoke(rule.id)}
              >
                Ask again
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function RuleWords({
  rule,
  session,
}: {
  readonly rule: ApprovalRule
  readonly session: string | undefined
}) {
  const { tool, agent, covers, sessionId, createdBy, approvalId } = rule
  return (
    <span className="flex min-w-0 flex-1 flex-col gap-0.5 text-xs text-muted">
      <Link
        href={hrefOf('approval', { approvalId, session })}
        className="truncate text-sm text-ink hover:underline"
      >
        <HostileText text={tool} sliceLength={100} />
      </Link>
      <span className="truncate">
        {covers === 'tool' ? 'Any arguments' : 'The same arguments'},{' '}
        {sessionId === undefined ? 'in all sessions' : 'in one session'}, by{' '}
        <HostileText text={agent} sliceLength={100} />
      </span>
      <span className="truncate">
        <HostileText text={createdBy} sliceLength={100} /> said so{' '}
        <Age at={rule.createdAt} />
      </span>
    </span>
  )
}

/** Takes one back; what is drawn is asked for again. */
function useRevoke() {
  const { client } = useDaemon()
  const refresh = useRefresh()
  const [revoking, setRevoking] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const revoke = async (ruleId: string) => {
    setRevoking(ruleId)
    setProblem(undefined)
    try {
      await client.revokeRule({ ruleId })
      await refresh()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'It failed.')
    } finally {
      setRevoking(undefined)
    }
  }
  return { revoke, revoking, problem }
}
