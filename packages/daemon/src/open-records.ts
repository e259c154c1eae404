import type { Store } from '@hookline/agent/durable'
import { runOperations } from './operations/records/runs.ts'
import { traceOperations } from './operations/records/traces.ts'
import { owner } from './protocol/caller.ts'
import type { Client } from './protocol/client.ts'
import { createLocalClient } from './protocol/local-client.ts'
import type { Service } from './protocol/service.ts'
import { translated } from './service/translate-errors.ts'

/** What can be asked of a store alone: what hooks did, and why. */
export type RecordsClient = Pick<Client, 'listRuns' | 'getRun' | 'whyCall'>

/** Answers as a daemon does; only what is planned now nobody knows. */
export function openRecords(store: Store): RecordsClient {
  const operations = translated({
    ...runOperations({ store, plannedNow: () => undefined }),
    ...traceOperations({ store }),
  })
  // Those of the operations that are asked for are there.
  return createLocalClient(operations as Service, owner)
}
