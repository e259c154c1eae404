import { join } from 'node:path'
import {
  type AuditHead,
  createFileAnchors,
  createRetention,
  openStore,
  readFileAnchors,
  type Store,
  type StoreOptions,
  secretsOf,
} from '@hookline/agent/durable'
import type { Clock } from 'hookline'
import type { Log } from '../log/log.ts'
import type { Environment } from './places.ts'
import type { Settings } from './settings.ts'
import { storeOptions } from './store-options.ts'

interface KeptStoreOptions {
  readonly home: string
  readonly env: Environment
  readonly clock: Clock
  readonly log: Log
  /** In place of the configured one. */
  readonly database: StoreOptions['database'] | undefined
}

export interface KeptStore {
  readonly store: Store
  /** What signs audit records and approvals; absent: nothing does. */
  readonly auditKey: string | undefined
  /** The ends of the audit log as they were written down beside the store. */
  readonly anchors: () => Promise<readonly AuditHead[]>
  close(): Promise<void>
}

const dayMs = 86_400_000
const everyMs = 3_600_000

/** Opens the store with its keys, and removes what it need not keep. */
export async function openKeptStore(
  settings: Settings,
  { home, env, clock, log, database }: KeptStoreOptions,
): Promise<KeptStore> {
  const { options, secrets } = await storeOptions(settings, env, database)
  const { key } = options
  const anchorsFile = join(home, 'audit-anchors.jsonl')
  const anchors = () => readFileAnchors(anchorsFile).catch(noneYet)
  const store = await openStore({
    ...options,
    clock,
    redactor: { secrets: [...secretsOf(env), ...secrets] },
    audit: { ...options.audit, anchor: createFileAnchors(anchorsFile) },
    onError: (error) => log.error('store-failed', { error }),
  })
  const rules = Object.entries(settings.store.retentionDays).map(
    ([kind, days]) => [kind, { maxAgeMs: days * dayMs }] as const,
  )
  const retention = createRetention(store.parts, Object.fromEntries(rules), {
    audit: { audit: store.audit, anchors, ...(key !== undefined && { key }) },
    onError: (error) => log.error('retention-failed', { error }),
  })
  retention.start(everyMs)
  return {
    store,
    auditKey: key,
    anchors,
    async close() {
      await retention.close()
      await store.close()
    },
  }
}

function noneYet(error: unknown): readonly AuditHead[] {
  const isMissing =
    error instanceof Error && 'code' in error && error.code === 'ENOENT'
  if (isMissing) return []
  throw error
}
