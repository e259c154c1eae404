import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import type { OpenedRun } from '../../data/protocol.ts'
import { Badge, Status } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Section } from '../../ui/section.tsx'
import { lookOfRun } from '../outcomes.ts'
import { tookText } from '../runs/run-row.tsx'

interface RunOrderProps {
  readonly run: OpenedRun
}

/** Who was asked with it, in which order, and why it stands where it does. */
export function RunOrder({ run }: RunOrderProps) {
  const { beside, hidden, now, point, id, agent } = run
  return (
    <Section
      title="Order"
      aside={
        <Link
          href={hrefOf('plan', { point, agent })}
          className="text-accent hover:underline"
        >
          Plan of {point}
        </Link>
      }
    >
      <ol className="flex flex-col divide-y divide-line overflow-hidden rounded-md border border-line">
        {beside.map((one, at) => (
          <li key={one.id}>
            <NeighbourRow one={one} place={at + 1} isThis={one.id === id} />
          </li>
        ))}
      </ol>
      {hidden > 0 && (
        <p className="text-xs text-muted">
          {hidden} more {hidden === 1 ? 'hook was' : 'hooks were'} asked that
          you may not see.
        </p>
      )}
      {now !== undefined && (
        <p className="text-sm text-muted">
          {now.order === undefined
            ? 'In the plan as it is now'
            : `Place ${now.order} of ${now.among} in the plan as it is now`}
          : {now.because}
        </p>
      )}
    </Section>
  )
}

interface NeighbourRowProps {
  readonly one: OpenedRun['beside'][number]
  readonly place: number
  readonly isThis: boolean
}

function NeighbourRow({ one, place, isThis }: NeighbourRowProps) {
  const { id, hook, decided } = one
  const { tone, word } = lookOfRun(one)
  return (
    <Link
      href={hrefOf('run', { runId: id })}
      aria-current={isThis ? 'true' : undefined}
      className={classNames(
        'flex h-10 items-center gap-3 px-3 text-sm hover:bg-hover',
        isThis && 'bg-hover',
      )}
    >
      <span className="w-5 shrink-0 text-right text-xs text-faint tabular-nums">
        {place}
      </span>
      <span
        className={classNames(
          'min-w-0 flex-1 truncate',
          isThis && 'font-medium',
        )}
      >
        <HostileText text={hook} />
      </span>
      {decided && <Badge className="max-sm:hidden">decided it</Badge>}
      <span className="w-28 shrink-0">
        <Status tone={tone}>{word}</Status>
      </span>
      <span className="hidden w-16 shrink-0 text-right text-xs text-muted tabular-nums sm:inline">
        {tookText(one)}
      </span>
    </Link>
  )
}
