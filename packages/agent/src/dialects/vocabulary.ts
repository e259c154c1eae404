import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import type { AliasedCall } from './moment.ts'

/** How a product calls the tools and arguments that Claude Code has names for. */
export interface Vocabulary {
  readonly tools: Readonly<Record<string, string>>
  /** By the name of Claude Code. Tools without an alias keep their arguments. */
  readonly args: Readonly<Record<string, string>>
  /** A tool of an MCP server. */
  mcp(server: string, tool: string): string
}

export interface ProductCall {
  readonly name: string
  readonly input: JsonObject
}

/** A call in the words of a product. */
export function inWordsOf(
  vocabulary: Vocabulary,
  { name, input }: Pick<AliasedCall, 'name' | 'input'>,
): ProductCall {
  const mcp = readMcpName(name)
  if (mcp !== undefined) {
    return { name: vocabulary.mcp(mcp.server, mcp.tool), input }
  }
  const known = nameIn(vocabulary, name)
  if (known === undefined) return { name, input }
  return { name: known, input: renamed(input, vocabulary.args) }
}

/** Arguments in the words of a product, back in those of Claude Code. */
export function outOfWordsOf(
  vocabulary: Vocabulary,
  name: string,
  input: JsonObject,
): JsonObject {
  if (nameIn(vocabulary, name) === undefined) return input
  return renamed(input, reversed(vocabulary.args))
}

/** The names that Claude Code has for a tool of a product. */
export function claudeNamesOf(
  vocabulary: Vocabulary,
  product: string,
): readonly string[] {
  return Object.entries(vocabulary.tools)
    .filter(([, name]) => name === product)
    .map(([name]) => name)
}

export function readMcpName(
  name: string,
): { readonly server: string; readonly tool: string } | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  if (server === undefined || tool === undefined) return undefined
  return { server, tool }
}

function nameIn({ tools }: Vocabulary, name: string): string | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined
}

function reversed(
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(names).map(([own, product]) => [product, own]),
  )
}

function renamed(
  input: JsonObject,
  names: Readonly<Record<string, string>>,
): JsonObject {
  const entries = Object.entries(input).map(
    ([key, value]): [string, JsonValue] => [
      Object.hasOwn(names, key) ? (names[key] ?? key) : key,
      value,
    ],
  )
  return Object.fromEntries(entries)
}
