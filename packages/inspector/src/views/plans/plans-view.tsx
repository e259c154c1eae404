import { GitFork } from 'lucide-react'
import { hrefOf, type ParamsOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import { navigate } from '../../around/routes/navigation.ts'
import { useAnswer } from '../../data/daemon-context.ts'
import type { Hook } from '../../data/protocol.ts'
import { Page, Scroll } from '../../ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { AgentFilter } from '../agent-filter.tsx'
import { HookChips } from './hook-chips.tsx'
import { NotInForce } from './not-in-force.tsx'

interface PlansViewProps {
  readonly params: ParamsOf<'plans'>
}

/** Every point of the lifecycle, with who is asked there. */
export function PlansView({ params: { agent } }: PlansViewProps) {
  const input = agent === undefined ? {} : { agent }
  const { data, error, refetch } = useAnswer('listHooks', input, {
    keepPrevious: true,
  })
  const items = data?.items ?? []
  const off = items.filter(({ isEnabled }) => !isEnabled).length
  return (
    <Page
      name="Plans"
      title="Plans"
      toolbar={
        <>
          <AgentFilter
            agent={agent}
            onChoose={(next) =>
              navigate(hrefOf('plans', { agent: next || undefined }), {
                replace: true,
              })
            }
          />
          <span className="ml-auto text-xs text-muted" aria-live="polite">
            {data !== undefined && countText(items.length, off)}
          </span>
        </>
      }
    >
      <Scroll>
        <NotInForce />
        {data === undefined && error !== null && (
          <ErrorState
            title="The hooks cannot be read"
            error={error}
            onRetry={() => void refetch()}
          />
        )}
        {data === undefined && error === null && (
          <LoadingRows label="Loading plans" />
        )}
        {data !== undefined && (
          <Points points={data.points} hooks={items} agent={agent} />
        )}
      </Scroll>
    </Page>
  )
}

function countText(count: number, off: number): string {
  const hooks = `${count} ${count === 1 ? 'hook' : 'hooks'}`
  return off === 0 ? hooks : `${hooks}, ${off} off`
}

interface PointsProps {
  readonly points: readonly string[]
  readonly hooks: readonly Hook[]
  readonly agent: string | undefined
}

function Points({ points, hooks, agent }: PointsProps) {
  const names = new Set([...points, ...hooks.map(({ point }) => point)])
  const rows = [...names].map((point) => ({
    point,
    hooks: hooks.filter((hook) => hook.point === point),
  }))
  const used = rows.filter((row) => row.hooks.length > 0)
  const free = rows.filter((row) => row.hooks.length === 0)
  return (
    <>
      {used.length === 0 && (
        <EmptyState icon={<GitFork />} title="No hooks yet">
          Write one into <code className="font-mono text-xs">hooks.yaml</code>,
          or have one made with{' '}
          <code className="font-mono text-xs">hookline init</code>.
        </EmptyState>
      )}
      <ul aria-label="Points with hooks">
        {used.map((row) => (
          <li key={row.point}>
            <Link
              href={hrefOf('plan', { point: row.point, agent })}
              className="flex flex-col gap-2 border-b border-line px-4 py-3 transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:flex-row sm:items-center sm:gap-4"
            >
              <span className="w-64 shrink-0 truncate font-mono text-xs font-medium">
                {row.point}
              </span>
              <HookChips hooks={row.hooks} />
            </Link>
          </li>
        ))}
      </ul>
      {free.length > 0 && (
        <section className="p-4">
          <h2 className="mb-2 text-xs font-medium text-muted">
            Points without hooks
          </h2>
          <ul className="flex flex-wrap gap-x-5 gap-y-1.5">
            {free.map(({ point }) => (
              <li key={point}>
                <Link
                  href={hrefOf('plan', { point, agent })}
                  className="font-mono text-xs text-muted hover:text-ink hover:underline"
                >
                  {point}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
