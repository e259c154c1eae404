import { first } from './0001-first.ts'
import type { Migration } from './migration.ts'

/** In their order; the last one's version is what this program reads. */
export const migrations: readonly Migration[] = [first]
