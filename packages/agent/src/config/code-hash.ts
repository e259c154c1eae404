import { statSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { CodeWalk, isCode } from '../handlers/module/code-walk.ts'
import { FileHash } from '../handlers/module/file-hash.ts'
import { importsOf } from '../handlers/module/imports-of.ts'
import { canonicalJson } from '../seal/canonical-json.ts'
import { sha256 } from '../seal/sha256.ts'

const maxFiles = 1_000
/** Nobody has trusted it yet, and others wait while it is read. */
const maxCodeBytes = 16 * 1_048_576
const maxBytes = 256 * 1_048_576

/**
 * The hash of a file of code with all that it imports from beside it; that of
 * its bytes, if it imports nothing. Nothing, where there is too much of it.
 */
export function codeHash(file: string, hash: string): string | undefined {
  const walk = new CodeWalk({ follow: importsOf, maxBytes: maxCodeBytes })
  const hashes = new Map([[file, hash]])
  let bytes = 0
  // Those that are found on the way come to their turn, too.
  for (const path of hashes.keys()) {
    for (const imported of walk.from(path)) {
      if (hashes.has(imported)) continue
      const found = new FileHash(imported).read()
      if (found.hash !== undefined) {
        hashes.set(imported, found.hash)
        bytes += sizeOf(imported)
      } else if (!found.isAbsent && isCode(imported)) return undefined
      if (hashes.size > maxFiles || bytes > maxBytes) return undefined
    }
    if (walk.isOver) return undefined
  }
  if (hashes.size === 1) return hash
  const folder = dirname(file)
  const all = [...hashes].map(([path, one]) => [relative(folder, path), one])
  return sha256(canonicalJson(all))
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
