import { StoreError, type StoreErrorCode } from '../store-error.ts'

/** The SQLSTATE of an error that the server told; others have codes, too. */
export function stateOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined
  if (!('code' in thrown) || !('severity' in thrown)) return undefined
  return typeof thrown.code === 'string' ? thrown.code : undefined
}

/** The transaction was in another's way; done again it may succeed. */
export function isRetryable(thrown: unknown): boolean {
  const state = stateOf(thrown)
  return state === '40001' || state === '40P01'
}

/** The connection is of no use any more, or there is none now. */
export function isConnectionLost(thrown: unknown): boolean {
  if (thrown instanceof StoreError) return false
  const state = stateOf(thrown)
  if (state === undefined) return true
  return state.startsWith('08') || lostStates.has(state)
}

const lostStates = new Set([
  // The server shuts down, has crashed, starts; has too many connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // It gave up waiting for us in a transaction.
  '25P03',
  // It has forgotten a statement, or its tables are others now.
  '26000',
  '0A000',
])

/** What went wrong, without any value: details and some messages hold them. */
export function failureOf(thrown: unknown, name: string): StoreError {
  if (thrown instanceof StoreError) return thrown
  const state = stateOf(thrown)
  if (state === undefined) {
    return new StoreError(
      'unavailable',
      `${name}: ${words.unavailable}`,
      thrown,
    )
  }
  const code = codes[state] ?? codes[state.slice(0, 2)] ?? 'invalid-statement'
  const said = state.startsWith('42') ? `: ${(thrown as Error).message}` : ''
  const told = state === readOnly ? readOnlyWords : (words[code] ?? unfitting)
  return new StoreError(code, `${name}: ${told} (Postgres ${state}${said})`)
}

/** The server takes no writes, or not from here. */
export const readOnly = '25006'

const readOnlyWords =
  'The Postgres server is read-only, nothing was written. It may be a standby; it goes on by itself when it takes writes again.'

const unfitting = 'A statement or a value does not fit the database.'

const codes: Readonly<Record<string, StoreErrorCode>> = {
  '08': 'unavailable',
  '23505': 'exists',
  '25006': 'unavailable',
  '28': 'invalid-options',
  '3D': 'invalid-options',
  '40': 'busy',
  '53': 'unavailable',
  '53100': 'full',
  '55P03': 'busy',
  '57': 'unavailable',
  '57014': 'busy',
  '58': 'unavailable',
  XX: 'unavailable',
  XX001: 'corrupt',
  XX002: 'corrupt',
}

const words: Partial<Record<StoreErrorCode, string>> & {
  readonly unavailable: string
} = {
  exists: 'There is such a row already.',
  unavailable:
    'The Postgres server cannot be used now. Look at the server; it goes on by itself.',
  'invalid-options':
    'The Postgres server does not let this user in. Check the url.',
  busy: 'Others hold the same rows for too long. Try again, or raise statementMs.',
  full: 'The disk of the Postgres server is full, nothing was written. Free some space; it goes on by itself.',
  corrupt: 'The data of the Postgres server are damaged. Restore a backup.',
}
