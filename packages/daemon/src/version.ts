import { readFileSync } from 'node:fs'
// Not by its name: a Node without it has to load this to be told it is too old.
import nodeModule from 'node:module'

/** The version of this package. */
export function hooklineVersion(): string {
  const file = nodeModule.findPackageJSON(import.meta.url) ?? ''
  const manifest = readFileSync(file, 'utf8')
  const { version }: { readonly version: string } = JSON.parse(manifest)
  return version
}
