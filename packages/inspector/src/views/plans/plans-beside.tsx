import type { OutputOf } from '../../data/protocol.ts'
import { Badge } from '../../ui/badge.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import type { Tone } from '../../ui/tone.ts'
import { diffPlans, type MarkKind } from './diff-plans.ts'
import { PlanGraph } from './plan-graph.tsx'

type Plans = OutputOf<'previewHook'>

const words: Readonly<Record<MarkKind, readonly [Tone, string]>> = {
  leaves: ['bad', 'leaves'],
  comes: ['good', 'comes'],
  moves: ['caution', 'moves'],
  mode: ['changed', 'mode'],
}

/** What changes, in words, then both plans, with what differs marked. */
export function PlansBeside({ plans }: { readonly plans: Plans }) {
  const { before, after } = plans
  const changes = diffPlans(before, after)
  const marks = new Map(changes.map(({ hook, kind }) => [hook, kind]))
  const onlyIf = (...kinds: readonly MarkKind[]) =>
    new Map([...marks].filter(([, kind]) => kinds.includes(kind)))
  return (
    <>
      <ul aria-label="What changes" className="flex flex-col gap-1.5">
        {changes.length === 0 && (
          <li className="text-sm text-muted">Nothing changes in this plan.</li>
        )}
        {changes.map(({ hook, kind, text }) => {
          const [tone, word] = words[kind]
          return (
            <li key={hook} className="flex items-baseline gap-2 text-sm">
              <Badge tone={tone}>{word}</Badge>
              <span className="min-w-0">
                <span className="font-medium">
                  <HostileText text={hook} />
                </span>{' '}
                <span className="text-muted">{text}</span>
              </span>
            </li>
          )
        })}
      </ul>
      <p className="text-xs text-muted">
        At <span className="font-mono">{before.point}</span>, for agent{' '}
        <HostileText text={before.agent} />. A refusal there:{' '}
        {before.whenRefused}
      </p>
      <div className="grid gap-6 sm:grid-cols-2">
        <section className="min-w-0">
          <h3 className="mb-2 text-xs font-medium text-muted">Now</h3>
          <PlanGraph plan={before} label="Plan now" marks={onlyIf('leaves')} />
        </section>
        <section className="min-w-0">
          <h3 className="mb-2 text-xs font-medium text-muted">Then</h3>
          {after.steps.length === 0 ? (
            <p className="text-sm text-muted">Nobody is asked.</p>
          ) : (
            <PlanGraph
              plan={after}
              label="Plan then"
              marks={onlyIf('comes', 'moves', 'mode')}
            />
          )}
        </section>
      </div>
    </>
  )
}
