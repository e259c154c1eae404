import { useState } from 'react'
import { Button } from './button.tsx'
import { splitHostile } from './split-hostile.ts'

interface HostileTextProps {
  /** From a model, a tool, a hook or anybody: nothing in it is trusted. */
  readonly text: string
  /** How much is shown at first, and more each time. */
  readonly sliceLength?: number
}

/**
 * Text of others as it is: never HTML, with every character that would hide or
 * turn something drawn as its name, and a huge one in slices.
 */
export function HostileText({ text, sliceLength = 8_000 }: HostileTextProps) {
  const [slices, setSlices] = useState(1)
  const length = slices * sliceLength
  const isCut = text.length > length
  return (
    <>
      {splitHostile(isCut ? text.slice(0, length) : text).map((part, at) =>
        part.isHidden ? (
          <span
            // Parts never change their order.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above.
            key={at}
            title={part.name}
            className="rounded-xs bg-caution-soft px-0.5 font-mono text-[0.85em] text-caution"
          >
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
      {isCut && (
        <span className="mt-2 flex items-center gap-2 font-sans text-xs text-muted">
          <Button size="small" onClick={() => setSlices(slices + 1)}>
            Show more
          </Button>
          {(text.length - length).toLocaleString('en')} more characters
        </span>
      )}
    </>
  )
}
