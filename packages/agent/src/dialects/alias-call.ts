import { isAbsolute, relative, resolve } from 'node:path'
import type {
  JsonObject,
  JsonValue,
  MediaBlock,
  ToolCall,
  ToolResult,
} from 'hookline/lifecycle'
import { isSameData } from '../data/same-data.ts'
import type { AliasedCall } from './moment.ts'
import type { ToolAlias } from './tool-alias.ts'
import { usualAliases } from './usual-aliases.ts'

export type Aliases = Readonly<Record<string, ToolAlias>>

/** A call in Claude Code's words. */
export function aliasCall(
  own: ToolCall,
  cwd: string,
  given: Aliases = {},
): AliasedCall {
  const alias = aliasOf(own.tool, given)
  const name = alias?.name ?? own.tool
  if (alias === undefined) return { id: own.id, name, input: own.args, own }
  const paths = alias.paths ?? []
  const entries = Object.entries(own.args).map(
    ([key, value]): [string, JsonValue] => {
      const theirs = theirName(alias, key)
      const isPath = paths.includes(theirs) && typeof value === 'string'
      return [theirs, isPath ? resolve(cwd, value) : value]
    },
  )
  const input = { ...alias.derived?.(own.args), ...Object.fromEntries(entries) }
  return { id: own.id, name, input, own }
}

/** The text of a call that has failed, as scripts look for it. */
export function aliasError(
  { own }: AliasedCall,
  text: string,
  given: Aliases = {},
): string {
  return aliasOf(own.tool, given)?.error?.(text) ?? text
}

/** Arguments in Claude Code's words, as our tool takes them. */
export function ownArgs(
  { own, input }: AliasedCall,
  updated: JsonObject,
  { cwd, aliases = {} }: { readonly cwd: string; readonly aliases?: Aliases },
): JsonObject {
  const alias = aliasOf(own.tool, aliases)
  if (alias === undefined) return updated
  const derived = alias.derived?.(own.args) ?? {}
  const kept = Object.entries(updated).filter(
    ([theirs]) => !Object.hasOwn(derived, theirs),
  )
  const entries = kept.map(([theirs, value]): [string, JsonValue] => {
    const key = ownName(alias, theirs, own.args)
    const before = own.args[key]
    // What was not changed stays as the model wrote it.
    if (before !== undefined && isSameData(input[theirs], value)) {
      return [key, before]
    }
    return [key, likeBefore(before, value, cwd)]
  })
  return Object.fromEntries(entries)
}

/** The result of a call, as scripts look for it. */
export function aliasResponse(
  { own, input }: AliasedCall,
  result: ToolResult,
  given: Aliases = {},
): JsonValue {
  const alias = aliasOf(own.tool, given)
  const made = alias?.response?.(result, input)
  if (made !== undefined) return made
  if (!result.isError && result.data !== undefined) return result.data
  if (own.tool.startsWith('mcp__')) return blocksOf(result.content)
  return textOf(result.content)
}

export function textOf(
  content: readonly { readonly type: string; readonly text?: string }[],
): string {
  return content
    .flatMap(({ type, text }) => (type === 'text' && text ? [text] : []))
    .join('\n')
}

function blocksOf(content: readonly MediaBlock[]): JsonValue {
  return content.map((block) =>
    block.type === 'text'
      ? { type: 'text', text: block.text }
      : { type: block.type, mediaType: block.mediaType },
  )
}

function aliasOf(tool: string, given: Aliases): ToolAlias | undefined {
  if (Object.hasOwn(given, tool)) return given[tool]
  return Object.hasOwn(usualAliases, tool) ? usualAliases[tool] : undefined
}

function theirName({ args = {} }: ToolAlias, key: string): string {
  return Object.hasOwn(args, key) ? (args[key] ?? key) : key
}

/** Several of our names may stand for one of theirs: the one that was used. */
function ownName(alias: ToolAlias, theirs: string, args: JsonObject): string {
  const names = Object.keys(alias.args ?? {}).filter(
    (key) => theirName(alias, key) === theirs,
  )
  return names.find((name) => Object.hasOwn(args, name)) ?? fallbackName()

  function fallbackName(): string {
    if (Object.hasOwn(args, theirs)) return theirs
    return names[0] ?? theirs
  }
}

/** A path stays relative where the model wrote one. */
function likeBefore(
  before: JsonValue | undefined,
  value: JsonValue,
  cwd: string,
): JsonValue {
  const areTexts = typeof before === 'string' && typeof value === 'string'
  if (!areTexts || isAbsolute(before) || !isAbsolute(value)) return value
  const inside = relative(cwd, value)
  return inside.startsWith('..') || isAbsolute(inside) ? value : inside
}
