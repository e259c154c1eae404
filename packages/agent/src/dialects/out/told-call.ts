import { createHash } from 'node:crypto'
import type { GrantedCall, JsonObject, SafetyClass } from 'hookline/lifecycle'
import { canonicalJson } from '../../seal/canonical-json.ts'
import type { Aliases } from '../alias-call.ts'
import type { DialectName } from '../dialect.ts'
import { isObject } from '../printed.ts'
import { textIn } from '../read-hooks-file.ts'
import { usualAliases } from '../usual-aliases.ts'
import { claudeNamesOf, outOfWordsOf } from '../vocabulary.ts'
import { products } from './product.ts'

/** A call that a product tells of, in our words and in its own. */
export interface ToldCall {
  readonly call: GrantedCall
  /** The name that Claude Code has for it. */
  readonly claudeName: string
  /** As the product has written them. */
  readonly input: JsonObject
  /** Our arguments, as the product writes them; undefined: it cannot. */
  readonly inItsWords: (args: JsonObject) => JsonObject | undefined
}

const safeties: Readonly<Record<string, SafetyClass>> = {
  Read: 'read_only',
  Grep: 'read_only',
  Glob: 'read_only',
  LS: 'read_only',
  TodoWrite: 'read_only',
  WebFetch: 'network',
  WebSearch: 'network',
  Bash: 'destructive',
}

interface Telling {
  readonly dialect: DialectName
  readonly name: string
  readonly input: JsonObject
  readonly id: string | undefined
  readonly cwd: string
  readonly aliases: Aliases
  /** The names are Claude Code's already. */
  readonly isClaudes?: boolean
}

/** Reads a call; its arguments have Claude Code's names, or the caller's own. */
export function readCall(telling: Telling): ToldCall {
  const { dialect, name, input, cwd, aliases, isClaudes = false } = telling
  const { words } = products[dialect]
  const claudeName = isClaudes ? name : (claudeNamesOf(words, name)[0] ?? name)
  const known = isClaudes ? input : outOfWordsOf(words, claudeName, input)
  const patched = dialect === 'codex' && name === 'apply_patch'
  const [tool, own] = ownNames(patched ? 'Edit' : claudeName, aliases)
  const theirs = invert(own)
  const args = renamed(patched ? patchArgs(input) : known, theirs)
  const id = telling.id ?? idOf(name, input)
  const call: GrantedCall = {
    ...{ id, tool, owner: dialect, args },
    safety: safeties[claudeName] ?? 'mutating',
    grant: {
      decision: 'allow',
      sandbox: 'none',
      roots: [cwd],
      network: 'all',
      timeoutMs: 600_000,
      maxOutputBytes: 1_048_576,
    },
  }
  return {
    call,
    claudeName,
    input,
    inItsWords: (changed) => {
      if (patched) return undefined
      const claude = renamed(changed, own)
      const isKnown = Object.hasOwn(words.tools, claudeName) && !isClaudes
      return isKnown ? renamed(claude, words.args) : claude
    },
  }
}

/** Our tool by Claude Code's name, and what its arguments are called there. */
function ownNames(
  claudeName: string,
  aliases: Aliases,
): readonly [string, Readonly<Record<string, string>>] {
  const given = Object.entries(aliases).find(
    ([, { name }]) => name === claudeName,
  )
  if (given !== undefined) return [given[0], given[1].args ?? {}]
  const wanted = claudeName === 'MultiEdit' ? 'Edit' : claudeName
  const usual = Object.entries(usualAliases).find(
    ([, { name }]) => name === wanted,
  )
  return [usual?.[0] ?? claudeName, {}]
}

/** The file that a patch changes first is the one that rules look at. */
function patchArgs(input: JsonObject): JsonObject {
  const patch = textIn(input, 'command') ?? textIn(input, 'patch') ?? ''
  const [, path] =
    /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(patch) ?? []
  return { ...input, ...(path !== undefined && { file_path: path }) }
}

/** The same call has the same id at the end as before it. */
function idOf(name: string, input: JsonObject): string {
  const text = `${name} ${canonicalJson(input)}`
  return `call-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

function invert(names: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(names).map(([one, other]) => [other, one]),
  )
}

function renamed(
  args: JsonObject,
  names: Readonly<Record<string, string>>,
): JsonObject {
  const entries = Object.entries(args).map(([key, value]) => [
    Object.hasOwn(names, key) ? names[key] : key,
    value,
  ])
  return Object.fromEntries(entries)
}

/** Arguments may come as a text that holds an object. */
export function objectIn(value: unknown): JsonObject {
  if (typeof value === 'string') {
    try {
      return objectIn(JSON.parse(value) as unknown)
    } catch {
      return { input: value }
    }
  }
  // Whoever gives it has read it from JSON.
  return isObject(value as JsonObject) ? (value as JsonObject) : {}
}
