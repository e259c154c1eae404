import type { ToolResult } from 'hookline/lifecycle'

/** Whether a file, by a name that a search has printed, is one no tool gets. */
type IsDenied = (name: string) => Promise<boolean>

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

/** Takes lines of denied files, as `path:line:text`, out of what was found. */
export async function withoutDenied(
  result: ToolResult,
  isDenied: IsDenied,
): Promise<Searched> {
  const judge = remembering(isDenied)
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

function remembering(isDenied: IsDenied): IsDenied {
  const known = new Map<string, Promise<boolean>>()
  return (name) => {
    const found = known.get(name) ?? isDenied(name)
    known.set(name, found)
    return found
  }
}

const maxNames = 16
const longestPath = 4_096
const longestName = 255

/** Names can have colons and numbers in them, too: each that it can be counts. */
async function isOfDenied(line: string, isDenied: IsDenied): Promise<boolean> {
  const start = line.slice(0, longestPath + 16)
  let names = 0
  for (const { index } of start.matchAll(/:(?=\d+:)/g)) {
    if (++names > maxNames) return true
    const name = unquoted(start.slice(0, index))
    if (canBe(name) && (await isDenied(name))) return true
  }
  return false
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
