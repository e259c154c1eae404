import { HandlerFailure } from '../handler-failure.ts'

/** Why a program could not be started, in words that say what to do. */
export function startFailure(error: unknown, program: string): HandlerFailure {
  const code = errorCode(error)
  const sentence = sentences[code]
  const what =
    sentence === undefined
      ? `could not be started${code === '' ? '' : ` (${code})`}; try it in a terminal.`
      : sentence
  return notStarted(`"${program}" ${what}`, error)
}

export function notStarted(message: string, cause?: unknown): HandlerFailure {
  return new HandlerFailure('not-started', message, cause)
}

/** Whether a moment later there may be enough of what was missing. */
export function isScarcity(error: unknown): boolean {
  return scarce.has(errorCode(error))
}

const scarce = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ETXTBSY'])

const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'was not found; give its path, or put its folder in the PATH.',
  EACCES: 'may not be executed; chmod +x it, or name its interpreter first.',
  EPERM: 'may not be executed here.',
  ENOEXEC:
    'is no program; give it a first line such as #!/bin/sh, or name its interpreter first.',
  E2BIG:
    'was given more arguments and variables than the system takes; what is large belongs on its input.',
  EMFILE: 'could not be started: this program has too many files open.',
  ENFILE: 'could not be started: the system has too many files open.',
  EAGAIN: 'could not be started: there are too many processes.',
  ENOMEM: 'could not be started: there is not enough memory.',
  ETXTBSY: 'could not be started: somebody is writing to it.',
  ENOTDIR: 'has a path that leads through a file.',
  ELOOP: 'has a path that leads in a circle.',
  ENAMETOOLONG: 'has a path that is too long.',
  ERR_INVALID_ARG_VALUE:
    'was given an argument, variable or folder that the system cannot take, such as one with a NUL character.',
}

function errorCode(error: unknown): string {
  const hasCode = error instanceof Error && 'code' in error
  return hasCode ? String(error.code) : ''
}
