import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'

const maxLineBytes = 256

/** What the first line of a script says that it is run by. */
export function interpreterOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.isFile() !== true) return undefined
    const { O_RDONLY, O_NONBLOCK = 0 } = constants
    const file = openSync(path, O_RDONLY | O_NONBLOCK)
    try {
      const bytes = Buffer.alloc(maxLineBytes)
      const size = readSync(file, bytes, 0, maxLineBytes, 0)
      const [line = ''] = bytes.toString('latin1', 0, size).split('\n')
      return line.startsWith('#!') ? line.slice(2) : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    // It is not there, or cannot be read, which is told elsewhere.
    return undefined
  }
}
