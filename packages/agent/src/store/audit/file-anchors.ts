import { open, readFile } from 'node:fs/promises'
import { StoreError } from '../store-error.ts'
import type { AuditHead } from './audit-record.ts'

/** Appends the ends of a chain to a file that only its owner can read. */
export function createFileAnchors(
  file: string,
): (head: AuditHead) => Promise<void> {
  return async ({ seq, hash }) => {
    const handle = await open(file, 'a+', 0o600)
    try {
      const { mode, size } = await handle.stat()
      if ((mode & 0o077) !== 0) {
        const message = `The anchors in "${file}" are open to others; run: chmod 600 "${file}".`
        throw new StoreError('unsafe-file', message)
      }
      const end = Buffer.alloc(1, newline)
      if (size > 0) await handle.read(end, 0, 1, size - 1)
      // The line that a crash cut short must not spoil this one.
      const start = end[0] === newline ? '' : '\n'
      await handle.write(`${start}${JSON.stringify({ seq, hash })}\n`)
      await handle.datasync()
    } finally {
      await handle.close()
    }
  }
}

const newline = 10

/** The anchors of a file; a line that is none is passed over. */
export async function readFileAnchors(
  file: string,
): Promise<readonly AuditHead[]> {
  const text = await readFile(file, 'utf8')
  return text.split('\n').flatMap(readAnchor)
}

function readAnchor(line: string): readonly AuditHead[] {
  try {
    const { seq, hash } = JSON.parse(line) as Partial<AuditHead>
    const isAnchor = typeof seq === 'number' && typeof hash === 'string'
    return isAnchor ? [{ seq, hash }] : []
  } catch {
    return []
  }
}
