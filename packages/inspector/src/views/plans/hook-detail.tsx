import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import type { Plan, PlanStep } from '../../data/protocol.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { durationText } from '../../ui/times.tsx'
import type { HookChange } from './preview-dialog.tsx'
import { sourceText } from './source-text.ts'

interface HookDetailProps {
  readonly step: PlanStep
  readonly ties: Plan['ties']
  readonly onChange: (change: HookChange) => void
  readonly onClose: () => void
}

/** All that is known of a hook in its plan, and what can be done with it. */
export function HookDetail({ step, ties, onChange, onClose }: HookDetailProps) {
  const { name, mode, isManaged } = step
  const why = whyFixed(step, ties)
  const isOurs = step.source.kind === 'file' || step.source.kind === 'dialect'
  const isEvaluated = mode === 'evaluate'
  return (
    <div className="flex flex-col gap-4 p-4">
      <header className="-my-1.5 flex items-start gap-2">
        <h2 className="min-w-0 flex-1 py-1.5 text-sm font-semibold break-words">
          <HostileText text={name} />
        </h2>
        <IconButton
          label="Close"
          icon={<X />}
          className="-mr-2"
          onClick={onClose}
        />
      </header>
      <div className="flex flex-wrap gap-1.5">
        <Badge tone={isEvaluated ? 'noted' : 'neutral'}>{mode}</Badge>
        <Badge tone={step.onFailure === 'open' ? 'caution' : 'neutral'}>
          fails {step.onFailure}
        </Badge>
        <Badge>{step.execution}</Badge>
        {isManaged && <Badge>managed</Badge>}
      </div>
      {isOurs && (
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            onClick={() => onChange({ name, isEnabled: false })}
          >
            Turn off…
          </Button>
          <Button
            size="small"
            onClick={() =>
              onChange({ name, mode: isEvaluated ? 'enforce' : 'evaluate' })
            }
          >
            {isEvaluated ? 'Enforce…' : 'Only evaluate…'}
          </Button>
        </div>
      )}
      {why !== undefined && (
        <p className="-mt-1 text-xs text-muted">
          <HostileText text={why} />
        </p>
      )}
      <dl className="flex flex-col gap-3">
        <Fact label="Why here">
          <HostileText text={step.because} />
        </Fact>
        <Fact label="Runs where">
          <HostileText text={step.matcher} />
        </Fact>
        <Fact label="When it fails">{step.whenItFails}</Fact>
        <Fact label="Time">
          {step.timeoutMs === undefined
            ? 'as its point has it'
            : `at most ${durationText(step.timeoutMs)}`}
        </Fact>
        <Fact label="Priority">{step.priority}</Fact>
        <Fact label="May answer">{step.mayAnswer.join(', ') || 'nothing'}</Fact>
        <Fact label="Rights">
          <HostileText text={step.capabilities.join(', ') || 'none'} />
        </Fact>
        <Fact label="Reaches">
          <HostileText text={step.reaches} />
        </Fact>
        <Fact label="Seen by">{seenBy[step.visibility]}</Fact>
        <Fact label="Written in">
          <span className="font-mono text-xs wrap-anywhere">
            <HostileText text={sourceText(step)} />
          </span>
        </Fact>
      </dl>
      <p className="flex gap-4 text-xs">
        <Link
          href={hrefOf('runs', { hook: name })}
          className="text-accent hover:underline"
        >
          Its runs
        </Link>
        <Link
          href={hrefOf('health', { hook: name })}
          className="text-accent hover:underline"
        >
          Its health
        </Link>
      </p>
    </div>
  )
}

/** What keeps somebody from switching it, if anything does. */
function whyFixed(
  { name, isManaged, source }: PlanStep,
  ties: Plan['ties'],
): string | undefined {
  if (isManaged) {
    return 'It is managed: whoever administers this machine has put it there, and it can be neither turned off nor only evaluated.'
  }
  if (source.kind === 'plugin') {
    return `It comes with the plugin ${source.name ?? ''}, and is turned off with it, in the configuration.`
  }
  if (source.kind === 'code') {
    return 'It is written in the code of an agent or of the daemon, and is changed there.'
  }
  const others = ties.flatMap(({ from, to, kind }) => {
    if (kind === 'before') return to === name ? [from] : []
    return from === name ? [to] : []
  })
  if (others.length === 0) return undefined
  return `Named by ${others.join(', ')}: as long as that runs, it cannot be turned off.`
}

const seenBy: Readonly<Record<PlanStep['visibility'], string>> = {
  internal: 'operators',
  debug: 'operators, to find mistakes',
  user_audit: 'users, on demand',
  user_visible: 'users',
}

interface FactProps {
  readonly label: string
  readonly children: ReactNode
}

function Fact({ label, children }: FactProps) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="text-sm break-words">{children}</dd>
    </div>
  )
}
