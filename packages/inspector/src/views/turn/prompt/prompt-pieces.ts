import type { ToldTurn } from '../timeline/told-turn.ts'

type Fragment = NonNullable<ToldTurn['manifest']>['fragments'][number]

/** A piece of a prompt, whose it is, and its words where somebody has them. */
export interface PromptPiece {
  readonly key: string
  readonly fragment: Fragment
  readonly author: string
  readonly text?: string | undefined
}

/** What an agent itself brings, as it is configured now. */
export interface OwnText {
  readonly id: string
  readonly content: string
}

/** The pieces in the order in which they stand, each with its words. */
export function promptPieces(
  { manifest, texts }: Pick<ToldTurn, 'manifest' | 'texts'>,
  own: readonly OwnText[],
): readonly PromptPiece[] {
  const left = [...texts]
  const pieces = manifest?.fragments ?? []
  return pieces.map((fragment, at) => {
    const { kind, id, hook, plugin } = fragment
    const author = hook ?? plugin ?? 'The agent itself'
    const key = `${at}-${id}`
    if (kind === 'base') {
      const text = own.find((one) => one.id === id)?.content
      return { key, fragment, author, text }
    }
    const found = left.findIndex(
      (one) => one.hook === hook && one.subject === kind && one.id === id,
    )
    // A hook may write two pieces of one name.
    const [told] = found < 0 ? [] : left.splice(found, 1)
    return { key, fragment, author, text: told?.text }
  })
}

export interface Budget {
  readonly kind: 'section' | 'context'
  readonly used: number
  readonly most: number
}

/** What hooks were held to when the prompt was put together; old ones do not say. */
export function budgetsOf(manifest: ToldTurn['manifest']): readonly Budget[] {
  const { budgets, fragments = [] } = manifest ?? {}
  if (budgets === undefined) return []
  return (['section', 'context'] as const).map((kind) => ({
    kind,
    most: budgets[kind],
    used: fragments
      .filter((fragment) => fragment.kind === kind)
      .reduce((sum, { codePoints }) => sum + codePoints, 0),
  }))
}

/** Authors in the order in which they come; the agent itself has no colour. */
export function authorsOf(pieces: readonly PromptPiece[]): readonly string[] {
  const named = pieces.filter(
    ({ fragment }) => fragment.hook !== undefined || fragment.plugin,
  )
  return [...new Set(named.map(({ author }) => author))]
}
