import {
  type ConfigSection,
  described,
  flag,
  list,
  number,
  object,
  text,
  word,
} from '@hookline/agent/config'
import type { ContentLevel, ContentLevels } from '@hookline/agent/durable'
import type { RetentionDays } from '../settings.ts'
import { checked, path, variable } from './parts.ts'
import { trustedLayers } from './trusted-layers.ts'

/** A key by the file or the variable that holds it. */
interface WrittenKey {
  readonly file?: string
  readonly env?: string
}

export interface WrittenStore {
  readonly file?: string
  readonly urlEnv?: string
  readonly schema?: string
  readonly content?: ContentLevels
  readonly retentionDays?: RetentionDays
  readonly key?: WrittenKey
  readonly payloadKeys?: readonly (WrittenKey & { readonly id: string })[]
  readonly readsPlain?: boolean
  readonly isAuditRequired?: boolean
}

const level = word<ContentLevel>(['none', 'metadata', 'redacted', 'full'])
const days = number({ min: 0, max: 36_500 })

const keyFields = {
  file: described(path, 'A file that holds it, which nobody else may read.'),
  env: described(variable, 'The variable that holds it.'),
}

const oneSource = ({ file, env }: WrittenKey) =>
  (file === undefined) === (env === undefined)
    ? 'A key is in a file or in a variable: write either `file` or `env`.'
    : undefined

export const storeSection: ConfigSection<WrittenStore> = {
  name: 'store',
  layers: trustedLayers,
  shape: described(
    checked(
      object<WrittenStore>(
        {
          file: described(
            path,
            'Of SQLite, for one machine; default: in the state directory.',
          ),
          urlEnv: described(
            variable,
            'The variable with the address of a Postgres, for several.',
          ),
          schema: described(
            text({
              pattern: /^[a-z_][a-z0-9_]{0,62}$/,
              kind: 'the name of a schema in small letters',
              maxLength: 63,
            }),
            'Of the tables in Postgres; default: hookline.',
          ),
          content: described(
            object<ContentLevels>({ runs: level, journal: level }, []),
            'How much is kept beside what has to be exact; default: metadata.',
          ),
          retentionDays: described(
            object<RetentionDays>(
              {
                payloads: days,
                calls: days,
                turns: days,
                sessions: days,
                runContent: days,
                runs: days,
                approvals: days,
                jobs: days,
                cells: days,
                audit: days,
                removals: days,
                events: days,
                inbox: days,
                firings: days,
                emitted: days,
                wakes: days,
              },
              [],
            ),
            'What is older is removed; what is not named is kept, but for events: a day.',
          ),
          key: described(
            checked(object<WrittenKey>(keyFields, []), oneSource),
            'Signs audit records and approvals; all daemons need the same.',
          ),
          payloadKeys: described(
            list(
              checked(
                object<WrittenKey & { readonly id: string }>(
                  {
                    ...keyFields,
                    id: text({
                      pattern: /^[\w-]{1,32}$/,
                      kind: 'a name of letters and digits',
                      maxLength: 32,
                    }),
                  },
                  ['id'],
                ),
                oneSource,
              ),
              { max: 20 },
            ),
            'Encrypt what has to be exact, 32 bytes in base64 each; the first one writes.',
          ),
          readsPlain: described(flag, 'Also what was there before the keys.'),
          isAuditRequired: described(
            flag,
            'Nothing goes on that cannot be recorded; default: false.',
          ),
        },
        [],
      ),
      ({ file, urlEnv }) =>
        file !== undefined && urlEnv !== undefined
          ? 'A store is one file or one Postgres: write either `file` or `urlEnv`.'
          : undefined,
    ),
    'Where everything is kept.',
  ),
}
