import { useState } from 'react'
import { HostileText } from '../../../ui/hostile-text.tsx'
import type { Json } from './field-of.ts'
import { parseExact } from './parse-exact.ts'
import { useMark } from './unfinished.ts'

interface JsonEditorProps {
  readonly label: string
  readonly value: Json
  readonly rows?: number
  /** Not called while what stands there is no JSON. */
  readonly onChange: (value: Json) => void
}

/** Any JSON at all, checked as it is written. */
export function JsonEditor(props: JsonEditorProps) {
  const { label, value, rows = 10, onChange } = props
  const [text, setText] = useState(() => JSON.stringify(value, null, 2))
  const [problem, setProblem] = useState<string>()
  useMark(problem !== undefined)
  const change = (next: string) => {
    setText(next)
    try {
      onChange(parseExact(next))
      setProblem(undefined)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <div className="flex flex-col gap-1">
      <textarea
        aria-label={label}
        aria-invalid={problem !== undefined}
        spellCheck={false}
        rows={rows}
        value={text}
        onChange={({ target }) => change(target.value)}
        className="w-full rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5 aria-invalid:border-bad"
      />
      {problem !== undefined && (
        <p role="alert" className="text-xs text-bad">
          It is no JSON that can be sent: <HostileText text={problem} />
        </p>
      )}
    </div>
  )
}
