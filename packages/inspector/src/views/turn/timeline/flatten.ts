import type { Outcome } from '../../outcomes.ts'
import type { Kind, Node } from './nodes.ts'

/** A line of the waterfall. */
export interface Row {
  readonly node: Node
  readonly depth: number
  readonly hasChildren: boolean
  readonly isFolded: boolean
}

export interface TimelineFilter {
  readonly kind?: Kind | undefined
  readonly outcome?: Outcome | undefined
  /** Part of the name of a hook, a tool, a model or a point. */
  readonly search?: string | undefined
}

/** What can be seen of a tree, from top to bottom. */
export function flatten(
  root: Node,
  folded: ReadonlySet<string>,
  filter: TimelineFilter = {},
): readonly Row[] {
  const { kind, outcome, search = '' } = filter
  const words = search.trim().toLowerCase()
  const isFiltered = Boolean(kind || outcome || words)
  const isWanted = (node: Node) =>
    (kind === undefined || node.kind === kind) &&
    (outcome === undefined || node.outcome === outcome) &&
    (words === '' || node.name.toLowerCase().includes(words))
  const wanted = new Set<string>()
  const look = (node: Node): boolean => {
    // All of them: each one's own parents are wanted with it.
    const within = node.children.map(look).some(Boolean)
    const isIn = within || isWanted(node)
    if (isIn) wanted.add(node.key)
    return isIn
  }
  if (isFiltered) look(root)
  const rows: Row[] = []
  const add = (node: Node, depth: number) => {
    if (isFiltered && !wanted.has(node.key)) return
    const hasChildren = isFiltered
      ? node.children.some(({ key }) => wanted.has(key))
      : node.children.length > 0
    const isFolded = hasChildren && folded.has(node.key)
    rows.push({ node, depth, hasChildren, isFolded })
    if (!isFolded) for (const child of node.children) add(child, depth + 1)
  }
  add(root, 0)
  return rows
}
