import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { HandlerFailure } from '../handlers/handler-failure.ts'
import type { ForeignCommand } from './dialect.ts'

type Variables = Readonly<Record<string, string>>

/** What may stand in a script as it is, in quotes or not. */
const harmless = /^[\w ./+@:,=~-]*$/

/**
 * The program and arguments of a command. Scripts go to bash, as people write
 * them for it, else to sh; never to a login shell, whose profile may print.
 */
export function argvOf(
  { command, args, shell }: ForeignCommand,
  placeholders: Variables,
  env: Variables,
): readonly string[] {
  if (args !== undefined) {
    const fill = (text: string) => replaced(text, placeholders)
    return [fill(command), ...args.map(fill)]
  }
  // What could mean something to the shell is left to it: it has the variable.
  const safe = Object.entries(placeholders).filter(([, value]) =>
    harmless.test(value),
  )
  const script = replaced(command, Object.fromEntries(safe))
  if (shell === 'powershell') {
    const program = findProgram(['pwsh', 'powershell'], env)
    if (program !== undefined) {
      return [program, '-NoProfile', '-NonInteractive', '-Command', script]
    }
    const message = 'The hook wants PowerShell, which is not installed here.'
    throw new HandlerFailure('not-started', message)
  }
  const bash = findProgram(['bash'], env)
  // Without it bash reads ~/.bashrc when its input is a socket, as Node's are.
  if (bash !== undefined) return [bash, '--norc', '-c', script]
  return [findProgram(['sh'], env) ?? '/bin/sh', '-c', script]
}

/** Only `${NAME}`, and only names that the product itself replaces. */
function replaced(text: string, placeholders: Variables): string {
  return text.replace(/\$\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(placeholders, name) ? (placeholders[name] ?? whole) : whole,
  )
}

const usualFolders = ['/usr/local/bin', '/usr/bin', '/bin']

/** The first of these programs that there is. */
function findProgram(
  names: readonly string[],
  env: Variables,
): string | undefined {
  const listed = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  const folders = [...listed, ...usualFolders]
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
