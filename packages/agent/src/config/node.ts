import type { JsonValue } from 'hookline/lifecycle'

/** A place in a file; both count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** What a file says, and where: the same for every format. */
export type ConfigNode = ScalarNode | ListNode | MapNode

export interface ScalarNode {
  readonly type: 'scalar'
  readonly value: string | number | boolean | null
  readonly at: Place
}

export interface ListNode {
  readonly type: 'list'
  readonly items: readonly ConfigNode[]
  readonly at: Place
}

export interface MapNode {
  readonly type: 'map'
  readonly entries: readonly MapEntry[]
  readonly at: Place
}

export interface MapEntry {
  readonly key: string
  readonly keyAt: Place
  readonly node: ConfigNode
}

export const startOfFile: Place = Object.freeze({ line: 1, column: 1 })

/** What a node says, without where. No key of it is one of a prototype. */
export function dataOf(node: ConfigNode): JsonValue {
  if (node.type === 'scalar') return node.value
  if (node.type === 'list') return node.items.map(dataOf)
  return Object.fromEntries(
    node.entries.map(({ key, node: part }) => [key, dataOf(part)]),
  )
}

/** What a map has under a key, if it is one and has it. */
export function entryOf(node: ConfigNode, key: string): ConfigNode | undefined {
  if (node.type !== 'map') return undefined
  return node.entries.find((entry) => entry.key === key)?.node
}
