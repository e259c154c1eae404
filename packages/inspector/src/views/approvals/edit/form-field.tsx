import { Plus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { HostileText } from '../../../ui/hostile-text.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import {
  emptyOf,
  type Field,
  isFields,
  isSame,
  type Json,
  type JsonFields,
  type NamedField,
} from './field-of.ts'
import { ListPart } from './list-part.tsx'
import { partFor } from './part-for.ts'
import { JsonPart, TextPart } from './plain-parts.tsx'

interface FormFieldProps {
  readonly label: string
  readonly field: Field
  readonly value: Json
  readonly onChange: (value: Json) => void
}

/** A part of some arguments, in the field that its schema asks for. */
export function FormField(props: FormFieldProps): ReactNode {
  const { label, value, onChange } = props
  // It stays what it was at first: what somebody types does not take away the
  // field that they type in.
  const [field] = useState(() => partFor(props.field, value))
  switch (field.kind) {
    case 'text':
      return (
        <TextPart label={label} value={textOf(value)} onChange={onChange} />
      )
    case 'number':
      return (
        <TextField
          label={label}
          inputMode="decimal"
          className="w-48"
          value={textOf(value)}
          onChange={({ target }) => onChange(numberOf(target.value))}
        />
      )
    case 'flag':
      return (
        <label className="flex w-fit items-center gap-2 text-sm">
          <input
            type="checkbox"
            aria-label={label}
            checked={value === true}
            onChange={({ target }) => onChange(target.checked)}
            className="accent-accent"
          />
          {value === true ? 'true' : 'false'}
        </label>
      )
    case 'choice': {
      const at = field.choices.findIndex((one) => isSame(one, value))
      return (
        <SelectField
          label={label}
          value={String(at)}
          choices={field.choices.map((one, index) => ({
            value: String(index),
            label: typeof one === 'string' ? one : JSON.stringify(one),
          }))}
          onChoose={(index) => onChange(field.choices[Number(index)] ?? null)}
        />
      )
    }
    case 'list':
      return (
        <ListPart
          {...props}
          item={field.item}
          renderItem={(item) => <FormField {...item} />}
        />
      )
    case 'group':
      return <FormGroup {...props} fields={field.fields} />
    case 'json':
      return <JsonPart {...props} why={field.why} />
  }
}

/** Of a field whose value fits: a text, or a number. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Half a number is a text, which stays as it is, until it says the same as one. */
function numberOf(text: string): Json {
  const number = Number(text)
  const isExact = Number.isSafeInteger(number) || !Number.isInteger(number)
  const isNumber = Number.isFinite(number) && isExact
  return isNumber && String(number) === text ? number : text
}

interface FormGroupProps
  extends Pick<FormFieldProps, 'label' | 'value' | 'onChange'> {
  readonly fields: readonly NamedField[]
}

/** The fields of an object: those that it has, and those that it may have. */
function FormGroup({ label, value, fields, onChange }: FormGroupProps) {
  const given: JsonFields = isFields(value) ? value : {}
  const known = new Set(fields.map(({ name }) => name))
  const others = Object.keys(given)
    .filter((name) => !known.has(name))
    .map((name): NamedField => {
      const why = 'The tool does not say what this is.'
      const field = { kind: 'json', why } as const
      return { name, about: '', isRequired: false, field }
    })
  const set = (name: string, next: Json) => onChange({ ...given, [name]: next })
  const remove = (name: string) => {
    const { [name]: _, ...rest } = given
    onChange(rest)
  }
  const isInner = label !== ''
  return (
    <div
      className={
        isInner
          ? 'flex flex-col gap-3 border-l-2 border-line pl-3'
          : 'flex flex-col gap-4'
      }
    >
      {[...fields, ...others].map((part) => (
        <Part
          key={part.name}
          part={part}
          path={isInner ? `${label} ${part.name}` : part.name}
          value={Object.hasOwn(given, part.name) ? given[part.name] : undefined}
          onChange={(next) => set(part.name, next)}
          onAdd={() => set(part.name, emptyOf(part.field))}
          onRemove={() => remove(part.name)}
        />
      ))}
    </div>
  )
}

interface PartProps {
  readonly part: NamedField
  readonly path: string
  readonly value: Json | undefined
  readonly onChange: (value: Json) => void
  readonly onAdd: () => void
  readonly onRemove: () => void
}

function Part({ part, path, value, onChange, onAdd, onRemove }: PartProps) {
  const { name, about, isRequired, field } = part
  return (
    <div className="flex flex-col gap-1">
      <div className="flex min-h-6 items-center gap-2">
        <span className="text-xs font-medium">
          <HostileText text={name} sliceLength={100} />
        </span>
        {!isRequired && <span className="text-2xs text-muted">optional</span>}
        <span className="min-w-0 flex-1 truncate text-xs text-muted">
          <HostileText text={about} sliceLength={300} />
        </span>
        {value === undefined ? (
          <Button
            look="quiet"
            size="small"
            aria-label={`Add ${path}`}
            icon={<Plus className="size-3.5" />}
            onClick={onAdd}
          >
            Add
          </Button>
        ) : (
          !isRequired && (
            <IconButton
              label={`Remove ${path}`}
              icon={<X />}
              className="size-6"
              onClick={onRemove}
            />
          )
        )}
      </div>
      {value !== undefined && (
        <FormField
          label={path}
          field={field}
          value={value}
          onChange={onChange}
        />
      )}
    </div>
  )
}
