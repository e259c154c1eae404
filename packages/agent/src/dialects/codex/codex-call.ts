import type { JsonObject } from 'hookline/lifecycle'
import type { AliasedCall } from '../moment.ts'
import type { ProductCall } from '../vocabulary.ts'
import { patchOf } from './patch.ts'

const edits: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit'])
const tools: Readonly<Record<string, string>> = {
  Agent: 'spawn_agent',
  Task: 'spawn_agent',
  TodoWrite: 'update_plan',
}

/** A call in the words of Codex: files are changed by patches. */
export function inCodexWords(
  { name, input }: Pick<AliasedCall, 'name' | 'input'>,
  cwd: string,
): ProductCall {
  if (edits.has(name)) {
    const command = patchOf(name, input, cwd)
    const patched = command === undefined ? input : { ...input, command }
    return { name: 'apply_patch', input: patched }
  }
  const known = Object.hasOwn(tools, name) ? tools[name] : undefined
  return { name: known ?? name, input }
}

/**
 * Changed arguments in the words of the call, or undefined: a patch that was
 * changed cannot be turned back into arguments.
 */
export function outOfCodexWords(
  call: Pick<AliasedCall, 'name' | 'input'>,
  updated: JsonObject,
  cwd: string,
): JsonObject | undefined {
  if (!edits.has(call.name)) return updated
  const { command, ...rest } = updated
  const { command: original, ...given } = inCodexWords(call, cwd).input
  if (command !== undefined && command !== original) return undefined
  return Object.keys(rest).length === 0 ? given : rest
}

/** The names that a matcher may use for a tool. */
export function codexNames(name: string): readonly string[] {
  const product = inCodexWords({ name, input: {} }, '').name
  if (product === 'apply_patch') return ['apply_patch', 'Write', 'Edit']
  if (product === 'spawn_agent') return ['spawn_agent', 'Agent']
  return [product]
}
