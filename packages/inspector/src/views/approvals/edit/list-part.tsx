import { Plus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { emptyOf, type Field, type Json } from './field-of.ts'

interface ListPartProps {
  readonly label: string
  readonly item: Field
  readonly value: Json
  readonly onChange: (value: Json) => void
  readonly renderItem: (item: ListItem) => ReactNode
}

interface ListItem {
  readonly label: string
  readonly field: Field
  readonly value: Json
  readonly onChange: (value: Json) => void
}

/** The items of a list, each in a field that stays its own. */
export function ListPart(props: ListPartProps) {
  const { label, item, value, onChange, renderItem } = props
  const items: readonly Json[] = Array.isArray(value) ? value : []
  // Items have no names, and their places change as others are taken out.
  const [names, setNames] = useState(() => [...items.keys()])
  const add = () => {
    setNames([...names, Math.max(-1, ...names) + 1])
    onChange([...items, emptyOf(item)])
  }
  const remove = (at: number) => {
    setNames(names.toSpliced(at, 1))
    onChange(items.toSpliced(at, 1))
  }
  return (
    <div className="flex flex-col gap-2">
      {items.map((one, at) => (
        <div key={names[at]} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            {renderItem({
              label: `${label} ${at + 1}`,
              field: item,
              value: one,
              onChange: (next) => onChange(items.with(at, next)),
            })}
          </div>
          <IconButton
            label={`Remove ${label} ${at + 1}`}
            icon={<X />}
            onClick={() => remove(at)}
          />
        </div>
      ))}
      <Button
        look="quiet"
        size="small"
        className="w-fit"
        icon={<Plus className="size-3.5" />}
        onClick={add}
      >
        Add to {label}
      </Button>
    </div>
  )
}
