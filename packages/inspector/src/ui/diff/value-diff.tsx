import { useMemo, useState } from 'react'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { HostileText } from '../hostile-text.tsx'
import { diffLines } from './diff-lines.ts'
import { type DiffRow, foldDiff } from './fold-diff.ts'
import { printValue } from './print-value.ts'

interface ValueDiffProps {
  /** What it is; stands above it. */
  readonly label: string
  readonly before: unknown
  readonly after: unknown
  /** What it means when both are the same. */
  readonly sameNote?: string
}

/** Rows that are drawn at once. */
const rowsAtOnce = 300
/** A line that is longer is shown in slices. */
const lineLength = 1_000

/** What became of a value, line by line; what stayed the same is folded. */
export function ValueDiff(props: ValueDiffProps) {
  const { label, before, after, sameNote } = props
  const { rows, counts, isCut } = useMemo(() => {
    const [old, next] = [printValue(before), printValue(after)]
    const lines = diffLines(old.text.split('\n'), next.text.split('\n'))
    const count = (type: string) =>
      lines.filter((line) => line.type === type).length
    return {
      rows: foldDiff(lines),
      counts: { removed: count('removed'), added: count('added') },
      isCut: old.isCut || next.isCut,
    }
  }, [before, after])
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [most, setMost] = useState(rowsAtOnce)
  const shown = rows.flatMap((row) =>
    row.type === 'fold' && opened.has(row.key) ? row.lines : [row],
  )
  const isSame = counts.removed === 0 && counts.added === 0
  return (
    <div className="flex flex-col">
      <div className="flex h-6 items-center justify-between text-xs text-muted">
        {label}
        <span>
          {isSame ? (
            'no difference'
          ) : (
            <>
              <span className="text-bad">−{counts.removed}</span>{' '}
              <span className="text-good">+{counts.added}</span>
            </>
          )}
        </span>
      </div>
      <section
        aria-label={label}
        // Whoever has no mouse scrolls it with the keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
        tabIndex={0}
        className="max-h-[32rem] overflow-auto rounded-md border border-line bg-sunken py-1 font-mono text-xs leading-5"
      >
        {shown.slice(0, most).map((row) =>
          row.type === 'fold' ? (
            <button
              key={row.key}
              type="button"
              onClick={() => setOpened(new Set([...opened, row.key]))}
              className="block w-full bg-hover px-3 text-left font-sans text-2xs leading-6 text-muted hover:text-ink"
            >
              {row.lines.length} lines are the same: show them
            </button>
          ) : (
            <DiffLineRow key={row.key} row={row} />
          ),
        )}
        {shown.length > most && (
          <div className="flex items-center gap-2 px-3 py-2 font-sans text-xs text-muted">
            <Button size="small" onClick={() => setMost(most + rowsAtOnce)}>
              Show more
            </Button>
            {(shown.length - most).toLocaleString('en')} more lines
          </div>
        )}
      </section>
      {isSame && sameNote !== undefined && (
        <p className="pt-1 text-xs text-muted">{sameNote}</p>
      )}
      {isCut && (
        <p className="pt-1 text-xs text-muted">
          It is too long to be compared whole: this is its beginning.
        </p>
      )}
    </div>
  )
}

const looks = {
  same: { row: '', sign: ' ', signTone: 'text-faint' },
  removed: { row: 'bg-bad-soft', sign: '−', signTone: 'text-bad' },
  added: { row: 'bg-good-soft', sign: '+', signTone: 'text-good' },
} as const

interface DiffLineRowProps {
  readonly row: Exclude<DiffRow, { type: 'fold' }>
}

function DiffLineRow({ row }: DiffLineRowProps) {
  const { type, text, before, after } = row
  const { row: look, sign, signTone } = looks[type]
  const Text = type === 'same' ? 'span' : type === 'added' ? 'ins' : 'del'
  return (
    <div className={classNames('flex', look)}>
      <span
        aria-hidden="true"
        className="hidden w-16 shrink-0 pr-2 text-right text-faint tabular-nums select-none sm:inline-block"
      >
        <span className="inline-block w-7">{before}</span>
        <span className="inline-block w-7">{after}</span>
      </span>
      <span
        aria-hidden="true"
        className={classNames('w-5 shrink-0 text-center select-none', signTone)}
      >
        {sign}
      </span>
      <Text className="min-w-0 flex-1 pr-3 break-words whitespace-pre-wrap no-underline">
        <HostileText text={text} sliceLength={lineLength} />
      </Text>
    </div>
  )
}
