import { useMemo } from 'react'
import { CodeBlock } from './code-block.tsx'
import { printValue } from './diff/print-value.ts'

interface ValueBlockProps {
  readonly value: unknown
  readonly label: string
  readonly isLow?: boolean
}

/** A value of others as people read it; of a huge one its beginning. */
export function ValueBlock({ value, label, isLow = false }: ValueBlockProps) {
  const { text, isCut } = useMemo(() => printValue(value), [value])
  return (
    <div>
      <CodeBlock text={text} label={label} isLow={isLow} />
      {isCut && (
        <p className="pt-1 text-xs text-muted">
          It is too long to be shown whole: this is its beginning.
        </p>
      )}
    </div>
  )
}
