import { FileText } from 'lucide-react'
import { useMemo } from 'react'
import { useAnswer } from '../../../data/daemon-context.ts'
import { Badge } from '../../../ui/badge.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { HostileText } from '../../../ui/hostile-text.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import type { TracedTurn } from '../timeline/nodes.ts'
import type { ToldTurn } from '../timeline/told-turn.ts'
import {
  authorsOf,
  type Budget,
  budgetsOf,
  type OwnText,
  type PromptPiece,
  promptPieces,
} from './prompt-pieces.ts'
import { useHash } from './use-hash.ts'

interface PromptTabProps {
  readonly turn: TracedTurn
  readonly told: ToldTurn
}

const colours = [
  ['bg-author-1', 'border-author-1'],
  ['bg-author-2', 'border-author-2'],
  ['bg-author-3', 'border-author-3'],
  ['bg-author-4', 'border-author-4'],
  ['bg-author-5', 'border-author-5'],
  ['bg-author-6', 'border-author-6'],
] as const
const colourless = ['bg-faint', 'border-faint'] as const

function colourOf(authors: readonly string[], author: string) {
  const at = authors.indexOf(author)
  return at < 0 ? colourless : (colours[at % colours.length] ?? colourless)
}

/** The prompt of a turn: every piece of it, and who wrote it. */
export function PromptTab({ turn, told }: PromptTabProps) {
  const { data: agent } = useAnswer('getAgent', { agent: turn.agent })
  const own = useMemo(() => ownTexts(agent?.config ?? {}), [agent])
  const pieces = useMemo(() => promptPieces(told, own), [told, own])
  const authors = authorsOf(pieces)
  if (pieces.length === 0) return <NoPrompt />
  return (
    <section
      aria-label="Prompt of the turn"
      // Whoever has no mouse scrolls it with the keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto"
    >
      <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 px-4 py-4">
        <Sizes
          pieces={pieces}
          authors={authors}
          budgets={budgetsOf(told.manifest)}
        />
        <ol aria-label="Pieces of the prompt" className="flex flex-col gap-2">
          {pieces.map((piece) => (
            <Piece
              key={piece.key}
              piece={piece}
              colour={colourOf(authors, piece.author)}
            />
          ))}
        </ol>
      </div>
    </section>
  )
}

function NoPrompt() {
  return (
    <EmptyState icon={<FileText />} title="No authors are known of this prompt">
      Who wrote a prompt is told once it is put together, to those who run the
      daemon. It is not there for a turn without pieces of plugins or hooks, and
      not once the events of the turn are gone; how long they are kept is set in{' '}
      <code className="font-mono text-xs">store.retentionDays.events</code>.
    </EmptyState>
  )
}

function ownTexts(config: Readonly<Record<string, unknown>>): OwnText[] {
  const { instructions, fragments } = config
  const first =
    typeof instructions === 'string'
      ? [{ id: 'instructions', content: instructions.trim() }]
      : []
  const given: readonly unknown[] = Array.isArray(fragments) ? fragments : []
  const others = given.flatMap((one) => {
    const { id, content } = Object(one)
    const isText = typeof id === 'string' && typeof content === 'string'
    return isText ? [{ id, content }] : []
  })
  return [...first, ...others]
}

interface SizesProps {
  readonly pieces: readonly PromptPiece[]
  readonly authors: readonly string[]
  readonly budgets: readonly Budget[]
}

/** How large the prompt is, and how much of that is whose. */
function Sizes({ pieces, authors, budgets }: SizesProps) {
  const sizeOf = (wanted: (piece: PromptPiece) => boolean) =>
    pieces
      .filter(wanted)
      .reduce((sum, { fragment }) => sum + fragment.codePoints, 0)
  const total = sizeOf(() => true)
  const cut = pieces.filter(({ fragment }) => fragment.isCut).length
  const names = ['The agent itself', ...authors]
  return (
    <section aria-label="Sizes" className="flex flex-col gap-3">
      <p className="text-sm">
        <span className="font-semibold">{count(total)}</span>
        <span className="text-muted">
          {` in ${pieces.length} ${pieces.length === 1 ? 'piece' : 'pieces'}, `}
          {cut === 0 ? 'none of them cut' : `${cut} of them cut`}
        </span>
      </p>
      <div
        aria-hidden="true"
        className="flex h-2 gap-px overflow-hidden rounded-full bg-active"
      >
        {pieces.map(({ key, author, fragment }) => (
          <span
            key={key}
            className={colourOf(authors, author)[0]}
            style={{ width: `${(fragment.codePoints / (total || 1)) * 100}%` }}
          />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {names.map((name) => (
          <li key={name} className="flex items-center gap-1.5">
            <span
              aria-hidden="true"
              className={classNames(
                'size-2 rounded-full',
                colourOf(authors, name)[0],
              )}
            />
            <HostileText text={name} />
            <span className="text-muted">
              {sizeOf(({ author }) => author === name).toLocaleString('en')}
            </span>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-x-8 gap-y-2">
        {budgets.map((budget) => (
          <BudgetLine key={budget.kind} budget={budget} />
        ))}
      </div>
    </section>
  )
}

const budgetNames = {
  section: 'Sections of hooks',
  context: 'Context of hooks',
}

function BudgetLine({ budget }: { readonly budget: Budget }) {
  const { kind, used, most } = budget
  const percent = Math.min(100, (used / most) * 100)
  return (
    <div className="flex w-full flex-col gap-1 text-xs sm:w-64">
      <span className="flex justify-between">
        <span className="text-muted">{budgetNames[kind]}</span>
        {used.toLocaleString('en')} of {most.toLocaleString('en')}
      </span>
      <span className="h-1 overflow-hidden rounded-full bg-active">
        <span
          className={classNames(
            'block h-full',
            percent > 90 ? 'bg-caution-mark' : 'bg-accent',
          )}
          style={{ width: `${percent}%` }}
        />
      </span>
    </div>
  )
}

function count(codePoints: number): string {
  return `${codePoints.toLocaleString('en')} characters`
}

interface PieceProps {
  readonly piece: PromptPiece
  readonly colour: readonly [string, string]
}

const kindNames = {
  base: '',
  section: 'section ',
  context: 'context ',
} as const

function Piece({ piece, colour: [, border] }: PieceProps) {
  const { fragment, author, text } = piece
  const { kind, id, codePoints, isCut, hash } = fragment
  return (
    <li className={classNames('border-l-[3px] pl-3', border)}>
      <p className="flex flex-wrap items-center gap-x-2 text-xs">
        <span className="font-medium">
          <HostileText text={author} />
        </span>
        <span className="text-muted">
          {kindNames[kind]}
          <HostileText text={id} />
        </span>
        <span className="text-muted">{count(codePoints)}</span>
        {isCut && <Badge tone="caution">Cut to fit</Badge>}
      </p>
      <PieceText text={text} hash={hash} isOwn={kind === 'base'} />
    </li>
  )
}

interface PieceTextProps {
  readonly text: string | undefined
  readonly hash: string
  /** As it is configured now, which may be something else by now. */
  readonly isOwn: boolean
}

function PieceText({ text, hash, isOwn }: PieceTextProps) {
  const found = useHash(isOwn ? text : undefined)
  const isOther = found !== undefined && found !== hash
  if (text === undefined || isOther) {
    return (
      <p className="py-1 text-xs text-muted">
        {isOther
          ? 'It was changed since; what it said then is not kept.'
          : 'Its words are not kept, only their hash.'}
      </p>
    )
  }
  return (
    <div className="py-1 font-mono text-xs leading-5 break-words whitespace-pre-wrap">
      <HostileText text={text} sliceLength={4_000} />
    </div>
  )
}
