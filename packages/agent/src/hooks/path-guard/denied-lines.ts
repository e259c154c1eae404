import type { ToolResult } from 'hookline/lifecycle'
import { type FoundNames, remembering } from './found-names.ts'

interface Searched {
  /** The same value if nothing was taken out. */
  readonly result: ToolResult
  readonly taken: number
}

/**
 * As the search that ships says it: if a search for what a secret begins with
 * looked different from one for what is nowhere, the secret could be guessed.
 */
const nothing = 'No line fits.'

/** Whether a result has anything that could be a line of a file. */
export function hasLines({ content }: ToolResult): boolean {
  return content.some(
    (block) => block.type === 'text' && named.test(block.text),
  )
}

/** Takes lines of denied files, as `path:line:text`, out of what was found. */
export async function withoutDenied(
  result: ToolResult,
  names: FoundNames,
): Promise<Searched> {
  const judge: Judge = {
    ...names,
    isDenied: remembering(names.isDenied),
    spareNames,
  }
  let taken = 0
  const content: ToolResult['content'][number][] = []
  for (const block of result.content) {
    if (block.type !== 'text') {
      content.push(block)
      continue
    }
    const kept: string[] = []
    for (const line of block.text.split('\n')) {
      if (await isOfDenied(line, judge)) taken++
      else kept.push(line)
    }
    content.push({ ...block, text: kept.join('\n') || nothing })
  }
  if (taken === 0) return { result, taken }
  if (result.isError) return { result: { ...result, content }, taken }
  // Nobody knows where in its data the same lines are.
  return { result: { content, isError: false }, taken }
}

type Judge = FoundNames & {
  /** How many more names are judged, of lines that have too many. */
  spareNames: number
}

const named = /:\d+:/
const namesEnd = /:(?=\d+:)/g
/** Of each line. */
const maxNames = 16
/** Of all lines together that have more. */
const spareNames = 2_000
const longestPath = 4_096
const longestName = 255

/**
 * Names can have colons and numbers in them, too: each that it can be counts.
 * Behind the name of a file that is there, only one that is there as well.
 */
async function isOfDenied(line: string, judge: Judge): Promise<boolean> {
  let names = 0
  let isNamed = false
  for (const name of namesIn(line)) {
    const found = await judge.find?.(name)
    if (isNamed && found === undefined) continue
    if (++names > maxNames && --judge.spareNames < 0) return true
    if (await judge.isDenied(name)) return true
    isNamed ||= found === 'file'
  }
  return false
}

function* namesIn(line: string): Generator<string> {
  const start = line.slice(0, longestPath + 16)
  for (const { index } of start.matchAll(namesEnd)) {
    const name = unquoted(start.slice(0, index))
    if (canBe(name)) yield name
  }
}

/** One with signs that would break the line is printed as JSON. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name
  try {
    const read: unknown = JSON.parse(name)
    return typeof read === 'string' ? read : name
  } catch {
    return name
  }
}

/** No system has longer names, nor empty ones. */
function canBe(name: string): boolean {
  const isShort = (part: string) => Buffer.byteLength(part) <= longestName
  return name !== '' && name.split('/').every(isShort)
}
