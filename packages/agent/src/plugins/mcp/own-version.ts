import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'

/** The version of this package, as servers are told it. */
export function ownVersion(): string {
  const manifest = readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8')
  const { version }: { readonly version: string } = JSON.parse(manifest)
  return version
}
