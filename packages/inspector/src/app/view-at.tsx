import { Compass } from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import {
  hrefOf,
  type ParamsOf,
  type Place,
  type ViewName,
} from '../around/routes/addresses.ts'
import { Link } from '../around/routes/link.tsx'
import { EmptyState } from '../ui/states.tsx'

type ViewOf<Name extends ViewName> = ComponentType<{
  readonly params: ParamsOf<Name>
}>

/** One for both addresses, so that going from one to the other keeps it. */
const approvals = lazy(async () => {
  const { ApprovalsView } = await import(
    '../views/approvals/approvals-view.tsx'
  )
  return { default: ApprovalsView }
})

/** Every view by its name, loaded when somebody goes there. */
const views: { readonly [Name in ViewName]: ViewOf<Name> } = {
  live: lazy(async () => {
    const { LiveView } = await import('../views/live/live-view.tsx')
    return { default: LiveView }
  }),
  sessions: lazy(async () => {
    const { SessionsView } = await import('../views/sessions/sessions-view.tsx')
    return { default: SessionsView }
  }),
  session: lazy(async () => {
    const { SessionView } = await import('../views/session/session-view.tsx')
    return { default: SessionView }
  }),
  plans: lazy(async () => {
    const { PlansView } = await import('../views/plans/plans-view.tsx')
    return { default: PlansView }
  }),
  plan: lazy(async () => {
    const { PlanView } = await import('../views/plans/plan-view.tsx')
    return { default: PlanView }
  }),
  health: lazy(async () => {
    const { HealthView } = await import('../views/health/health-view.tsx')
    return { default: HealthView }
  }),
  turn: lazy(async () => {
    const { TurnView } = await import('../views/turn/turn-view.tsx')
    return { default: TurnView }
  }),
  runs: lazy(async () => {
    const { RunsView } = await import('../views/runs/runs-view.tsx')
    return { default: RunsView }
  }),
  run: lazy(async () => {
    const { RunView } = await import('../views/run/run-view.tsx')
    return { default: RunView }
  }),
  call: lazy(async () => {
    const { CallView } = await import('../views/call/call-view.tsx')
    return { default: CallView }
  }),
  approvals,
  approval: approvals,
  settings: lazy(async () => {
    const { SettingsView } = await import('../views/settings/settings-view.tsx')
    return { default: SettingsView }
  }),
}

interface ViewAtProps {
  readonly place: Place | undefined
}

/** The view that an address leads to. */
export function ViewAt({ place }: ViewAtProps) {
  if (place === undefined) return <NotFound />
  // The params of a place are those of its own view.
  const View = views[place.view] as ComponentType<{
    readonly params: Place['params']
  }>
  return <View params={place.params} />
}

function NotFound() {
  return (
    <EmptyState icon={<Compass />} title="There is nothing at this address">
      <title>Not found · Hookline</title>
      It may have been deleted, or the link is incomplete.{' '}
      <Link
        href={hrefOf('live')}
        className="text-accent whitespace-nowrap underline"
      >
        Go to Live
      </Link>
    </EmptyState>
  )
}
