import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import type { CommandDefinition, SandboxDefinition } from '../definition.ts'
import type { HandlerCall } from '../handler.ts'
import { buildEnv } from './build-env.ts'
import { secretsOf } from './command-text.ts'
import { usualLimits } from './sandbox-limits.ts'
import { shellArgv } from './shell-argv.ts'
import { notStarted } from './start-failure.ts'

export interface CommandPlace {
  /** The folder of the config: where relative paths start. */
  readonly folder: string
  /** Our environment, of which a command gets a part; default: the process's. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The definition's layer may set any variable; default false. */
  readonly isTrusted?: boolean
}

/** What of a command is the same for all of its calls. */
export interface CommandParts {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly dropped: readonly string[]
  /** What it is called in messages. */
  readonly program: string
  readonly secrets: readonly string[]
  readonly sandbox: SandboxDefinition | undefined
  /** Where it runs, if the definition says so. */
  readonly cwd: string | undefined
}

export async function commandParts(
  definition: CommandDefinition,
  { folder, environment = process.env, isTrusted }: CommandPlace,
): Promise<CommandParts> {
  const { env: names = [], setEnv = {}, sandbox, cwd } = definition
  const { env, dropped } = buildEnv(environment, { names, setEnv, isTrusted })
  const argv = await argvOf(definition, { folder, env })
  return {
    argv,
    env,
    dropped,
    program: definition.shell === undefined ? (argv[0] ?? '') : 'shell',
    secrets: secretsOf(env, [...names, ...Object.keys(setEnv)]),
    sandbox: sandbox && atFolder(sandbox, folder),
    cwd: cwd === undefined ? undefined : resolve(folder, cwd),
  }
}

async function argvOf(
  { argv, windowsArgv, shell }: CommandDefinition,
  { folder, env }: { folder: string; env: Readonly<Record<string, string>> },
): Promise<readonly string[]> {
  const isWindows = process.platform === 'win32'
  const given = isWindows ? (windowsArgv ?? argv) : argv
  if (given !== undefined) return atConfig(given, folder)
  if (shell !== undefined) return await shellArgv(shell, env)
  throw notStarted('The command names no program; give it argv or shell.')
}

/** A program with a relative path is the config's own, wherever it runs. */
function atConfig(
  [program = '', ...rest]: readonly string[],
  folder: string,
): readonly string[] {
  const isPath = program.includes('/') || program.includes('\\')
  return [isPath ? resolve(folder, program) : program, ...rest]
}

function atFolder(
  sandbox: SandboxDefinition,
  folder: string,
): SandboxDefinition {
  const absolute = (path: string) => resolve(folder, path)
  const writable = sandbox.writable?.map(absolute)
  const readOnly = sandbox.readOnly?.map(absolute)
  const hidden = sandbox.hidden?.map(absolute)
  return {
    ...usualLimits,
    ...sandbox,
    ...(writable && { writable }),
    ...(readOnly && { readOnly }),
    ...(hidden && { hidden }),
  }
}

export function noteDropped(
  { dropped }: CommandParts,
  diagnose: HandlerCall['diagnose'],
): void {
  if (dropped.length === 0) return
  const names = dropped.join(', ')
  diagnose(
    'env-dropped',
    `The command does not get ${names}: what steers code is set by \`setEnv\` of a trusted layer only.`,
  )
}

/**
 * The folder of the session; if that has been removed, the config's, or the
 * user's own.
 */
export function sessionFolder(
  { envelope, diagnose }: HandlerCall,
  { folder }: CommandPlace,
): string {
  const asked = envelope.scope.cwd ?? folder
  const candidates = [asked, folder, homedir()].filter(isAbsolute)
  for (const candidate of candidates) {
    const facts = statSync(candidate, { throwIfNoEntry: false })
    if (facts?.isDirectory() !== true) continue
    if (candidate !== asked) {
      const message = `The folder of the session, "${asked}", is not there; the command runs in "${candidate}".`
      diagnose('cwd-missing', message)
    }
    return candidate
  }
  return asked
}
