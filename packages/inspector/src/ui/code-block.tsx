import { Check, Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { classNames } from './class-names.ts'
import { HostileText } from './hostile-text.tsx'
import { saveFile } from './save-file.ts'

interface CodeBlockProps {
  readonly text: string
  /** What it is; stands above it. */
  readonly label: string
  readonly isBad?: boolean
  /** It is not what matters most. */
  readonly isLow?: boolean
}

/** More than this is read elsewhere. */
const longLength = 8_000

/** Text of machines: as it is, in its own box that scrolls by itself. */
export function CodeBlock({ text, label, isBad, isLow }: CodeBlockProps) {
  return (
    <div className="flex flex-col">
      <div className="flex h-6 items-center justify-between text-xs text-muted">
        {label}
        <span className="flex">
          {text.length > longLength && <SaveButton text={text} label={label} />}
          <CopyButton text={text} label={label} />
        </span>
      </div>
      <section
        aria-label={label}
        // Whoever has no mouse scrolls it with the keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
        tabIndex={0}
        className={classNames(
          'overflow-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap',
          isLow ? 'max-h-36' : 'max-h-80',
          isBad ? 'text-bad' : 'text-ink',
        )}
      >
        <HostileText text={text} />
      </section>
    </div>
  )
}

const smallButton =
  'inline-flex size-6 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink'

interface CopyButtonProps {
  readonly text: string
  readonly label: string
}

function CopyButton({ text, label }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  const Icon = isCopied ? Check : Copy
  return (
    <button
      type="button"
      aria-label={`Copy: ${label}`}
      onClick={copy}
      onBlur={() => setCopied(false)}
      className={smallButton}
    >
      <Icon aria-hidden="true" className="size-3.5" />
    </button>
  )
}

function SaveButton({ text, label }: CopyButtonProps) {
  return (
    <button
      type="button"
      aria-label={`Save: ${label}`}
      onClick={() =>
        saveFile({ name: `${label}.txt`, parts: [text], type: 'text/plain' })
      }
      className={smallButton}
    >
      <Download aria-hidden="true" className="size-3.5" />
    </button>
  )
}
