import { GitFork } from 'lucide-react'
import { useState } from 'react'
import { useShortcuts } from '../../around/keyboard/shortcuts.ts'
import { hrefOf, type ParamsOf } from '../../around/routes/addresses.ts'
import { navigate } from '../../around/routes/navigation.ts'
import { useAnswer } from '../../data/daemon-context.ts'
import type { Hook, Plan } from '../../data/protocol.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Page, Scroll } from '../../ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { AgentFilter } from '../agent-filter.tsx'
import { Crumb } from '../crumb.tsx'
import { HookDetail } from './hook-detail.tsx'
import { OffHooks } from './off-hooks.tsx'
import { PlanGraph } from './plan-graph.tsx'
import { type HookChange, PreviewDialog } from './preview-dialog.tsx'

interface PlanViewProps {
  readonly params: ParamsOf<'plan'>
}

/** One point: its plan as a graph, and what can be changed about it. */
export function PlanView({ params }: PlanViewProps) {
  const { point, agent, tool } = params
  const about = { point, ...(agent !== undefined && { agent }) }
  const plan = useAnswer(
    'explainHooks',
    { ...about, ...(tool !== undefined && { tool }) },
    { keepPrevious: true },
  )
  const hooks = useAnswer('listHooks', about, { keepPrevious: true })
  const [change, setChange] = useState<HookChange>()
  const set = (next: Partial<ParamsOf<'plan'>>) =>
    navigate(hrefOf('plan', { ...params, ...next }), { replace: true })
  const off = hooks.data?.items.filter(({ isEnabled }) => !isEnabled) ?? []
  const shown = plan.data?.point === point ? plan.data : undefined
  return (
    <Page
      name={point}
      title={
        <>
          <Crumb href={hrefOf('plans', { agent })}>Plans</Crumb>
          <span className="truncate font-mono text-xs">{point}</span>
        </>
      }
      toolbar={
        <>
          <SelectField
            label="Point"
            className="max-sm:flex-1"
            value={point}
            choices={(hooks.data?.points ?? [point]).map((name) => {
              return { value: name, label: name }
            })}
            onChoose={(next) =>
              navigate(hrefOf('plan', { point: next, agent, tool }))
            }
          />
          <AgentFilter
            agent={agent}
            allLabel="First agent"
            onChoose={(next) => set({ agent: next || undefined })}
          />
          <TextField
            label="Tool that is called"
            placeholder="For a call of tool…"
            className="w-full sm:w-48"
            value={tool ?? ''}
            onChange={({ target }) => set({ tool: target.value || undefined })}
          />
        </>
      }
    >
      {shown === undefined && plan.error !== null && (
        <ErrorState
          title="This plan cannot be shown"
          error={plan.error}
          onRetry={() => void plan.refetch()}
        />
      )}
      {shown === undefined && plan.error === null && (
        <LoadingRows label="Loading the plan" />
      )}
      {shown !== undefined && (
        <PlanBody
          plan={shown}
          off={off}
          selected={params.hook}
          onSelect={(hook) => set({ hook })}
          onChange={setChange}
        />
      )}
      {change !== undefined && (
        <PreviewDialog
          change={change}
          agent={agent}
          onClose={() => setChange(undefined)}
        />
      )}
    </Page>
  )
}

interface PlanBodyProps {
  readonly plan: Plan
  readonly off: readonly Hook[]
  readonly selected: string | undefined
  readonly onSelect: (hook: string | undefined) => void
  readonly onChange: (change: HookChange) => void
}

function PlanBody(props: PlanBodyProps) {
  const { plan, off, selected, onSelect, onChange } = props
  const chosen = plan.steps.find(({ name }) => name === selected)
  useStepKeys(plan, { selected, onSelect })
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
      <Scroll className="shrink-0 p-4 max-lg:flex-none max-lg:overflow-visible lg:shrink">
        <PlanFacts plan={plan} />
        {plan.steps.length === 0 ? (
          <EmptyState icon={<GitFork />} title="Nobody is asked here">
            No hook runs at this point
            {off.length > 0 ? '; those below are off.' : '.'}
          </EmptyState>
        ) : (
          <PlanGraph
            plan={plan}
            label={`Plan of ${plan.point}`}
            selected={chosen?.name}
            onSelect={onSelect}
          />
        )}
        {plan.ties.length > 0 && <Legend />}
        {off.length > 0 && <OffHooks hooks={off} onChange={onChange} />}
      </Scroll>
      {chosen !== undefined && (
        <aside
          aria-label={`Hook ${chosen.name}`}
          className="border-line max-lg:border-t lg:w-96 lg:shrink-0 lg:overflow-y-auto lg:border-l"
        >
          <HookDetail
            step={chosen}
            ties={plan.ties}
            onChange={onChange}
            onClose={() => onSelect(undefined)}
          />
        </aside>
      )}
    </div>
  )
}

function PlanFacts({ plan }: { readonly plan: Plan }) {
  const facts = [
    ['Asked', plan.flow],
    ['May answer', plan.answers.join(', ') || 'nothing'],
    ...(plan.contributions.length > 0
      ? [['May contribute', plan.contributions.join(', ')]]
      : []),
    ['A refusal', plan.whenRefused],
  ]
  return (
    <dl className="mb-6 grid max-w-3xl grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-xs">
      {facts.map(([label, text]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function Legend() {
  return (
    <p className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted">
      <span className="inline-flex items-center gap-2">
        <svg aria-hidden="true" width="24" height="2">
          <path d="M0 1H24" className="stroke-muted" strokeWidth="1.5" />
        </svg>
        needs it to complete
      </span>
      <span className="inline-flex items-center gap-2">
        <svg aria-hidden="true" width="24" height="2">
          <path
            d="M0 1H24"
            className="stroke-muted"
            strokeWidth="1.5"
            strokeDasharray="4 3"
          />
        </svg>
        only the order
      </span>
    </p>
  )
}

interface StepKeys {
  readonly selected: string | undefined
  readonly onSelect: (hook: string | undefined) => void
}

function useStepKeys({ steps }: Plan, { selected, onSelect }: StepKeys): void {
  const at = steps.findIndex(({ name }) => name === selected)
  const move = (to: number) => {
    const next = steps[Math.max(0, Math.min(steps.length - 1, to))]
    if (next !== undefined) onSelect(next.name)
  }
  useShortcuts([
    { keys: 'j', about: 'Next', group: 'Lists', run: () => move(at + 1) },
    { keys: 'k', about: 'Previous', group: 'Lists', run: () => move(at - 1) },
    {
      keys: 'Escape',
      about: 'Close the hook',
      group: 'This view',
      run: () => onSelect(undefined),
    },
  ])
}
