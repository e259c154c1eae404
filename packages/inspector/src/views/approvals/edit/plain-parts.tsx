import { TextField } from '../../../ui/field.tsx'
import { HostileText } from '../../../ui/hostile-text.tsx'
import { splitHostile } from '../../../ui/split-hostile.ts'
import type { Json } from './field-of.ts'
import { JsonEditor } from './json-editor.tsx'

/** More than that is slow to type in, and nobody reads it in a field. */
const longestText = 100_000

interface TextPartProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A text: in a line, or in as many as it has. */
export function TextPart({ label, value, onChange }: TextPartProps) {
  if (value.length > longestText) {
    return (
      <p className="text-xs text-muted">
        {value.length.toLocaleString('en')} characters: too long to be changed
        here. It stays as it is.
      </p>
    )
  }
  const lines = value.split('\n').length
  const isLong = lines > 1 || value.length > 80
  const hasHidden = splitHostile(value).some(({ isHidden }) => isHidden)
  return (
    <div className="flex flex-col gap-1">
      {isLong ? (
        <textarea
          aria-label={label}
          spellCheck={false}
          rows={Math.min(14, Math.max(3, lines))}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className="w-full rounded-md border border-line bg-raised px-2.5 py-1.5 font-mono text-xs leading-5"
        />
      ) : (
        <TextField
          label={label}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {hasHidden && (
        <p className="text-xs break-words text-caution">
          It has characters that a field does not show:{' '}
          <HostileText text={value} sliceLength={400} />
        </p>
      )}
    </div>
  )
}

interface JsonPartProps {
  readonly label: string
  readonly value: Json
  readonly onChange: (value: Json | undefined) => void
  readonly why: string
}

/** What no field can ask for: it says why, and is written as JSON. */
export function JsonPart({ label, value, onChange, why }: JsonPartProps) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-xs text-muted">{why} It is written as JSON.</p>
      <JsonEditor label={label} value={value} rows={4} onChange={onChange} />
    </div>
  )
}
