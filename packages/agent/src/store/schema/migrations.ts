import { first } from './0001-first.ts'
import { betweenProcesses } from './0002-between-processes.ts'
import { searchAtOnce } from './0003-search-at-once.ts'
import { reasons } from './0004-reasons.ts'
import { exactlyOnce } from './0005-exactly-once.ts'
import { families } from './0006-families.ts'
import { said } from './0007-said.ts'
import { costs } from './0008-costs.ts'
import { titles } from './0009-titles.ts'
import { deciders } from './0010-deciders.ts'
import { approvers } from './0011-approvers.ts'
import { earlierAttempts } from './0012-earlier-attempts.ts'
import type { Migration } from './migration.ts'

/** In their order; the last one's version is what this program reads. */
export const migrations: readonly Migration[] = [
  first,
  betweenProcesses,
  searchAtOnce,
  reasons,
  exactlyOnce,
  families,
  said,
  costs,
  titles,
  deciders,
  approvers,
  earlierAttempts,
]
