import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { AliasedCall } from '../moment.ts'
import { textIn } from '../read-hooks-file.ts'

/** What a hook is shown of a file that is to be read, or why it is not. */
export type FileContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'unshown'; readonly why: string }

/** As much as our own tool reads. */
const maxBytes = 10 * 1_048_576

/** Whoever reads the answer has to know what the question was. */
const shown = new WeakMap<AliasedCall, FileContent>()

/** The content that a call would read: once for each call that is judged. */
export function contentOf(call: AliasedCall): FileContent {
  const known = shown.get(call)
  if (known !== undefined) return known
  const content = readContent(textIn(call.input, 'file_path') ?? '')
  shown.set(call, content)
  return content
}

function readContent(path: string): FileContent {
  try {
    // A pipe would have us wait for ever.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return readFile(file)
    } finally {
      closeSync(file)
    }
  } catch {
    return unshown('it cannot be read')
  }
}

function readFile(file: number): FileContent {
  const stats = fstatSync(file)
  if (!stats.isFile()) return unshown('it is not a file')
  if (stats.size > maxBytes) return tooLong
  const parts: Buffer[] = []
  let sizeBytes = 0
  for (;;) {
    // Its size may be a lie, as in /proc.
    const part = Buffer.alloc(Math.max(stats.size - sizeBytes, 65_536))
    const count = readSync(file, part)
    if (count === 0) break
    sizeBytes += count
    if (sizeBytes > maxBytes) return tooLong
    parts.push(part.subarray(0, count))
  }
  return { type: 'text', text: Buffer.concat(parts).toString('utf8') }
}

function unshown(why: string): FileContent {
  return {
    type: 'unshown',
    why: `It was not shown the content of the file, as ${why}.`,
  }
}

const tooLong = unshown(`it has more than ${maxBytes} bytes`)
