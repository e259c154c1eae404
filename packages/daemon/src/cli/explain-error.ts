import { type ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { HomeError } from '../server/home-error.ts'
import { CliError } from './cli-error.ts'
import type { ExitName } from './exit-codes.ts'

/** Any error as one that says what to do, and how the command ends. */
export function explainError(error: unknown): CliError {
  if (error instanceof CliError) return error
  if (error instanceof ProtocolError) return explainAnswer(error)
  if (error instanceof HomeError) return explainHome(error)
  if (!(error instanceof Error)) {
    return new CliError('failed', String(error), { cause: error })
  }
  return explainSystem(error) ?? explainOther(error)
}

const exitOf: Readonly<Record<ErrorCode, ExitName>> = {
  'bad-request': 'usage',
  'no-token': 'refused',
  'not-allowed': 'refused',
  'wrong-host': 'refused',
  'wrong-origin': 'refused',
  'not-found': 'not-found',
  'wrong-method': 'failed',
  'too-slow': 'failed',
  conflict: 'failed',
  gone: 'not-found',
  'too-large': 'failed',
  'wrong-type': 'failed',
  'unknown-version': 'failed',
  'too-many': 'failed',
  internal: 'failed',
  'shutting-down': 'unreachable',
  unavailable: 'unreachable',
}

const hintOf: Partial<Record<ErrorCode, string>> = {
  'no-token':
    'Name the file of a token that the daemon knows with --token-file; "hookline principals create" makes one.',
  'not-allowed':
    'Somebody with that right can do it, or give it to you: "hookline principals create".',
  'too-many': 'Wait a little, and try again.',
  'unknown-version':
    'No command of another version reaches it; "hookline up" says which process it is.',
  internal: 'The log of the daemon says more.',
  'shutting-down': 'The daemon stops; start it again with "hookline up".',
}

function explainAnswer(error: ProtocolError): CliError {
  const { code, message, problems = [] } = error
  const details = problems.map(({ path, message: said }) => `${path}: ${said}`)
  const hint = [...details, ...(hintOf[code] ? [hintOf[code]] : [])].join('\n')
  return new CliError(exitOf[code] ?? 'failed', message, {
    cause: error,
    ...(hint !== '' && { hint }),
  })
}

function explainHome(error: HomeError): CliError {
  const { code, message, cause } = error
  const isTaken = code === 'already-running' || code === 'address-taken'
  const system = cause instanceof Error ? explainSystem(cause) : undefined
  return new CliError(isTaken ? 'taken' : 'failed', message, {
    cause: error,
    ...(system && { hint: system.message }),
  })
}

const systemErrors: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: ['There is no room left', 'Free some space, and try again.'],
  EDQUOT: ['The quota is used up', 'Free some space, and try again.'],
  EROFS: ['The file system is read-only', 'Choose another folder.'],
  EACCES: [
    'There is no permission',
    'Change the owner or the mode, or choose another place.',
  ],
  EPERM: [
    'There is no permission',
    'Change the owner or the mode, or choose another place.',
  ],
  EMFILE: [
    'Too many files are open',
    'Raise the limit ("ulimit -n"), and try again.',
  ],
}

function explainSystem(error: NodeJS.ErrnoException): CliError | undefined {
  const [what, hint] = systemErrors[error.code ?? ''] ?? []
  if (what === undefined || hint === undefined) return undefined
  const where = error.path === undefined ? '' : `: ${error.path}`
  return new CliError('failed', `${what}${where}.`, { hint, cause: error })
}

function explainOther(error: Error): CliError {
  // What has a code was thrown on purpose, and explains itself.
  const isExplained = 'code' in error && typeof error.code === 'string'
  const hint =
    'This may be a fault of hookline; HOOKLINE_DEBUG=1 shows where it comes from.'
  return new CliError('failed', error.message || error.name, {
    cause: error,
    ...(!isExplained && { hint }),
  })
}
