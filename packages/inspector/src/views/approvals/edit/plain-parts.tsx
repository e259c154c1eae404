import { useState } from 'react'
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

/** A text: as many lines as it needs, in the one field that may have them. */
export function TextPart({ label, value, onChange }: TextPartProps) {
  // As it was at first: nobody loses the field that they type in.
  const [isTooLong] = useState(value.length > longestText)
  if (isTooLong) {
    return (
      <p className="text-xs text-muted">
        {value.length.toLocaleString('en')} characters: too long to be changed
        here. It stays as it is.
      </p>
    )
  }
  const hasHidden = splitHostile(value).some(({ isHidden }) => isHidden)
  return (
    <div className="flex flex-col gap-1">
      <textarea
        aria-label={label}
        spellCheck={false}
        rows={Math.min(14, linesOf(value))}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="w-full rounded-md border border-line bg-raised px-2.5 py-1.5 font-mono text-xs leading-5"
      />
      {hasHidden && (
        <p className="text-xs break-words text-caution">
          It has characters that a field does not show:{' '}
          <HostileText text={value} sliceLength={400} />
        </p>
      )}
    </div>
  )
}

/** About so many of them fit beside each other. */
const lineLength = 80

/** Those that a text has, and those that it is broken into. */
function linesOf(text: string): number {
  const parts = text.split('\n')
  return parts.reduce(
    (sum, { length }) => sum + Math.max(1, Math.ceil(length / lineLength)),
    0,
  )
}

interface JsonPartProps {
  readonly label: string
  readonly value: Json
  readonly onChange: (value: Json) => void
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
