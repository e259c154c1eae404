import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

/** A path without links, as far as there is something at it. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path)
  }
}
