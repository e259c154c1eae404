import type { Actor } from 'hookline/lifecycle'

/** The first of them, with all others beside it, each once. */
export function joinActors(
  ...all: readonly (Actor | undefined)[]
): Actor | undefined {
  const [first, ...others] = all.filter((one) => one !== undefined)
  if (first === undefined) return undefined
  const { besides = [] } = first
  const known = [first, ...besides]
  const isKnown = ({ kind, id }: Actor) =>
    known.some((one) => one.kind === kind && one.id === id)
  for (const other of others.flatMap((one) => [one, ...(one.besides ?? [])])) {
    if (!isKnown(other)) known.push({ kind: other.kind, id: other.id })
  }
  if (known.length === besides.length + 1) return first
  return { ...first, besides: known.slice(1) }
}
