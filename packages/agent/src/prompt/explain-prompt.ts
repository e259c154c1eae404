import type {
  CompiledPromptInput,
  ManifestFragment,
  Message,
} from 'hookline/lifecycle'
import { sha256 } from '../seal/sha256.ts'

const widest = 28

/**
 * The prompt as text, with the author of every line in its margin. It takes
 * what hooks at `turn.post_prompt_compile` are given.
 */
export function explainPrompt({
  messages,
  manifest,
}: Pick<CompiledPromptInput, 'messages' | 'manifest'>): string {
  const { fragments } = manifest
  // Nobody else's words are looked through, nor taken for a fragment.
  const left = {
    system: fragments.filter(({ kind }) => kind !== 'context'),
    user: fragments.filter(({ kind }) => kind === 'context'),
    assistant: [],
    tool: [],
  }
  const lines = messages.flatMap((message) => [
    `── ${message.role}`,
    ...textsOf(message).flatMap((text) =>
      explainText(text, left[message.role]),
    ),
  ])
  return lines.join('\n')
}

function textsOf({ content }: Message): readonly string[] {
  const blocks: readonly { readonly type: string; readonly text?: string }[] =
    content
  return blocks.map(({ type, text }) => text ?? `[${type}]`)
}

/** Fragments stand in the prompt in the order of the manifest. */
function explainText(text: string, left: ManifestFragment[]): string[] {
  const lines: string[] = []
  let rest = text
  for (;;) {
    const found = findFragment(rest, left)
    if (found === undefined) break
    const { fragment, from, to } = found
    lines.push(...marginLines('', rest.slice(0, from)))
    lines.push(...marginLines(authorOf(fragment), rest.slice(from, to)))
    left.splice(left.indexOf(fragment), 1)
    rest = rest.slice(to)
  }
  return [...lines, ...marginLines('', rest)]
}

/** A fragment begins at the start of a line; its hash says that it is this. */
function findFragment(text: string, left: readonly ManifestFragment[]) {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  for (const from of starts) {
    for (const fragment of left) {
      const to = endOf(text, from, fragment.codePoints)
      if (to === undefined || to === from) continue
      if (sha256(text.slice(from, to)) === fragment.hash) {
        return { fragment, from, to }
      }
    }
  }
  return undefined
}

function endOf(
  text: string,
  from: number,
  codePoints: number,
): number | undefined {
  let at = from
  for (let count = 0; count < codePoints; count++) {
    const point = text.codePointAt(at)
    if (point === undefined) return undefined
    at += point > 0xffff ? 2 : 1
  }
  return at
}

function authorOf({ kind, id, hook, plugin, isCut }: ManifestFragment): string {
  const name = hook ?? (plugin === undefined ? id : `${plugin} (plugin)`)
  const author = kind === 'base' || hook === id ? name : `${name}: ${id}`
  return isCut ? `${author}, cut` : author
}

function marginLines(author: string, text: string): readonly string[] {
  const shown =
    author.length > widest ? `${author.slice(0, widest - 1)}…` : author
  const trimmed = text.replace(/^\n+|\n+$/g, '')
  if (trimmed === '') return []
  return trimmed.split('\n').map((line) => `${shown.padEnd(widest)} │ ${line}`)
}
