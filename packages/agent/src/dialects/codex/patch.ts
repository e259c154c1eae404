import { isAbsolute, relative } from 'node:path'
import type { JsonObject, JsonValue } from 'hookline/lifecycle'

/**
 * Codex changes files with patches alone, so that its scripts read patches. An
 * edit of one file as such a text; absent where it cannot be said so.
 */
export function patchOf(
  name: string,
  input: JsonObject,
  cwd: string,
): string | undefined {
  const file = input['file_path']
  if (typeof file !== 'string') return undefined
  const path = within(cwd, file)
  const { content } = input
  if (name === 'Write' && typeof content === 'string') {
    return patch(`*** Add File: ${path}`, lines('+', content))
  }
  const edits = Array.isArray(input['edits']) ? input['edits'] : [input]
  const changes = edits.map(changeOf)
  if (changes.includes(undefined)) return undefined
  return patch(`*** Update File: ${path}`, changes.join('\n'))
}

/** Patches name files from where the session is. */
function within(cwd: string, file: string): string {
  const path = relative(cwd, file)
  return path === '' || path.startsWith('..') || isAbsolute(path) ? file : path
}

function changeOf(edit: JsonValue): string | undefined {
  if (typeof edit !== 'object' || edit === null || Array.isArray(edit)) {
    return undefined
  }
  const { old_string: before, new_string: after } = edit as JsonObject
  if (typeof before !== 'string' || typeof after !== 'string') return undefined
  return `@@\n${lines('-', before)}\n${lines('+', after)}`
}

function patch(head: string, body: string): string {
  return `*** Begin Patch\n${head}\n${body}\n*** End Patch`
}

function lines(mark: string, text: string): string {
  const all = text.endsWith('\n') ? text.slice(0, -1) : text
  return all
    .split('\n')
    .map((line) => `${mark}${line}`)
    .join('\n')
}
