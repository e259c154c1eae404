import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { StoreError } from '../store-error.ts'

/** What a backup is: a copy of a SQLite database, or lines of JSON. */
export async function formatOf(file: string): Promise<'sqlite' | 'lines'> {
  const handle = await open(file, 'r')
  try {
    const bytes = Buffer.alloc(32)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
    const start = bytes.toString('latin1', 0, bytesRead)
    if (start.startsWith('{"type":"head"')) return 'lines'
    if (start.startsWith('SQLite format 3\0')) return 'sqlite'
  } finally {
    await handle.close()
  }
  throw new StoreError('corrupt', `"${file}" is no backup of hookline.`)
}

/** A line ends with its feed alone: other separators are within texts. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(file, 'utf8')) {
    const lines = `${rest}${String(piece)}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
