import type { StoreOptions } from '@hookline/agent/durable'
import type { Environment } from './places.ts'
import { fromVariable, readKey } from './read-key.ts'
import type { Settings, StoreSettings } from './settings.ts'

export interface OpenedKeys {
  readonly options: StoreOptions
  /** What must never be seen, beside what the environment holds. */
  readonly secrets: readonly string[]
}

/** What the store is opened with, with its keys. */
export async function storeOptions(
  { store, daemon: { twoPersonRule, approvers } }: Settings,
  env: Environment,
  given?: StoreOptions['database'],
): Promise<OpenedKeys> {
  const database = given ?? databaseOf(store, env)
  const key = store.key && (await readKey(store.key, env))
  const keys = await Promise.all(
    store.payloadKeys.map(async ({ id, ...source }) => ({
      id,
      secret: await readKey(source, env),
    })),
  )
  const { readsPlain, content, isAuditRequired } = store
  const password =
    'url' in database ? (URL.parse(database.url)?.password ?? '') : ''
  return {
    options: {
      database,
      content,
      ...(keys.length > 0 && {
        payloads: { keys, ...(readsPlain !== undefined && { readsPlain }) },
      }),
      ...(key !== undefined && { key }),
      audit: { isRequired: isAuditRequired },
      approvals: {
        mayAnswerOwn: !twoPersonRule,
        approvers: () => (approvers === 2 ? 2 : 1),
      },
    },
    secrets: [key ?? '', password, ...keys.map(({ secret }) => secret)].filter(
      (secret) => secret !== '',
    ),
  }
}

function databaseOf(
  { file = '', urlEnv, schema }: StoreSettings,
  env: Environment,
): StoreOptions['database'] {
  if (urlEnv === undefined) return { file }
  const url = fromVariable(urlEnv, env)
  return { url, ...(schema !== undefined && { schema }) }
}
