import { dirname, relative } from 'node:path'
import { FileHash } from '../handlers/module/file-hash.ts'
import { importsOf } from '../handlers/module/imports-of.ts'
import { canonicalJson } from '../seal/canonical-json.ts'
import { sha256 } from '../seal/sha256.ts'

const maxFiles = 1_000

/**
 * The hash of a file of code with all that it imports from beside it; that of
 * its bytes, if it imports nothing. Nothing, where there is too much of it.
 */
export function codeHash(file: string, hash: string): string | undefined {
  const hashes = new Map([[file, hash]])
  // Those that are found on the way come to their turn, too.
  for (const path of hashes.keys()) {
    for (const imported of importsOf(path)) {
      if (hashes.has(imported)) continue
      const found = new FileHash(imported).read().hash
      if (found !== undefined) hashes.set(imported, found)
      if (hashes.size > maxFiles) return undefined
    }
  }
  if (hashes.size === 1) return hash
  const folder = dirname(file)
  const all = [...hashes].map(([path, one]) => [relative(folder, path), one])
  return sha256(canonicalJson(all))
}
