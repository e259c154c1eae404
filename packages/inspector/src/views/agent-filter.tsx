import { useAnswer } from '../data/daemon-context.ts'
import { SelectField } from '../ui/field.tsx'

interface AgentFilterProps {
  readonly agent: string | undefined
  readonly onChoose: (agent: string) => void
  /** What stands for none. */
  readonly allLabel?: string
}

/** Whose: one that there is, or the one that the address names. */
export function AgentFilter(props: AgentFilterProps) {
  const { agent = '', onChoose, allLabel = 'All agents' } = props
  const { data } = useAnswer('listAgents', {})
  const names = data?.items.map(({ name }) => name) ?? []
  const all = agent === '' || names.includes(agent) ? names : [agent, ...names]
  const choices = [
    { value: '', label: allLabel },
    ...all.map((name) => ({ value: name, label: name })),
  ]
  return (
    <SelectField
      label="Agent"
      value={agent}
      choices={choices}
      onChoose={onChoose}
    />
  )
}
