import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'

/** The version of this package. */
export function hooklineVersion(): string {
  const manifest = readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8')
  const { version }: { readonly version: string } = JSON.parse(manifest)
  return version
}
