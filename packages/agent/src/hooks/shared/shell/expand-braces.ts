import { Unreadable } from './cursor.ts'
import type { Part, Parts } from './syntax.ts'

const maxWords = 256

/** All the words that `{a,b}` stands for. */
export function expandBraces(parts: Parts): readonly Parts[] {
  const open = parts.filter(isOpen).length
  if (open === 0) return [parts]
  if (open > maxWords) throw new Unreadable('braces make too many words')
  const budget = { left: maxWords }
  return expandFrom(parts, budget, 0)
}

function expandFrom(
  parts: Parts,
  budget: { left: number },
  depth: number,
): readonly Parts[] {
  if (depth > maxWords) throw new Unreadable('braces are nested too deep')
  const group = findGroup(parts)
  if (group === undefined) {
    if (--budget.left < 0) throw new Unreadable('braces make too many words')
    return [parts]
  }
  const before = parts.slice(0, group.start)
  const after = parts.slice(group.end + 1)
  return group.choices.flatMap((choice) =>
    expandFrom([...before, ...choice, ...after], budget, depth + 1),
  )
}

/** The first `{` that is closed, and what there is to choose from. */
function findGroup(parts: Parts) {
  for (const [start, part] of parts.entries()) {
    if (!isOpen(part)) continue
    const end = closeOf(parts, start)
    if (end === undefined) continue
    const inner = parts.slice(start + 1, end)
    const choices = splitAtCommas(inner)
    if (choices.length > 1) return { start, end, choices }
    // A range such as {a..z}: it is not counted out.
    const [only] = inner
    if (only?.type === 'text' && only.text.includes('..')) {
      const unknown: Part = { type: 'unknown', inside: [], isQuoted: false }
      return { start, end, choices: [[unknown]] }
    }
  }
  return undefined
}

function closeOf(parts: Parts, start: number): number | undefined {
  let open = 0
  for (let at = start; at < parts.length; at++) {
    const part = parts[at]
    if (part?.type !== 'brace') continue
    if (part.text === '{') open++
    if (part.text === '}' && --open === 0) return at
  }
  return undefined
}

function splitAtCommas(parts: Parts): readonly Parts[] {
  const choices: Part[][] = [[]]
  let open = 0
  for (const part of parts) {
    if (part.type === 'brace') {
      if (part.text === '{') open++
      if (part.text === '}') open--
      if (part.text === ',' && open === 0) {
        choices.push([])
        continue
      }
    }
    choices.at(-1)?.push(part)
  }
  return choices
}

function isOpen(part: Part): boolean {
  return part.type === 'brace' && part.text === '{'
}
