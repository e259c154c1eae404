import { realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, resolve, sep } from 'node:path'
import type { SandboxDefinition } from '../definition.ts'
import { HandlerFailure } from '../handler-failure.ts'
import type { CommandEnd, CommandSpec } from './command-runner.ts'
import { findProgram } from './find-program.ts'
import { limitedArgv, memoryFolder, usualLimits } from './sandbox-limits.ts'
import { notStarted } from './start-failure.ts'

/** Runs a command as it stands. */
export type Run = (spec: CommandSpec) => Promise<CommandEnd>

/**
 * Confines commands by bubblewrap, which is tried out before it is relied on.
 * Where it is missing, or cannot do its work, nothing runs in its place.
 */
export class Sandbox {
  readonly #program: string
  readonly #run: Run
  #works: Promise<void> | undefined

  constructor({ program = 'bwrap', run }: { program?: string; run: Run }) {
    this.#program = program
    this.#run = run
  }

  /** The same command, confined. */
  async confine<T extends Pick<CommandSpec, 'argv' | 'env' | 'cwd'>>(
    spec: T,
    sandbox: SandboxDefinition,
  ): Promise<T> {
    await this.#check()
    // So that what is missing is told as outside.
    const program = findProgram(spec)
    const visible = [spec.cwd, dirname(program)]
    const writable = await realPaths(sandbox.writable, 'writable')
    const options = {
      sandbox,
      visible,
      writable,
      readOnly: await readOnlyThere(sandbox, writable),
      ...(await hiddenThere(sandbox.hidden)),
    }
    const argv = [this.#program, ...sandboxArguments(spec.cwd, options)]
    return {
      ...spec,
      argv: [...argv, '--', ...limitedArgv(spec.argv, sandbox)],
    }
  }

  async #check(): Promise<void> {
    this.#works ??= this.#tryOut()
    try {
      await this.#works
    } catch (error) {
      this.#works = undefined
      throw error
    }
  }

  async #tryOut(): Promise<void> {
    const sandbox = { network: false, ...usualLimits }
    const options = { sandbox, visible: [], writable: [], readOnly: [] }
    const confined = sandboxArguments('/', options)
    const end = await this.#run({
      argv: [
        this.#program,
        ...confined,
        '--',
        ...limitedArgv(['true'], sandbox),
      ],
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
      cwd: '/',
      stdin: '',
      timeoutMs: tryOutMs,
    }).catch((error: unknown) => {
      throw noSandbox('bubblewrap is not there', error)
    })
    if (end.exitCode === 0) return
    throw noSandbox(
      'bubblewrap cannot make a sandbox with limits on this machine',
    )
  }
}

const tryOutMs = 10_000

function noSandbox(what: string, cause?: unknown): HandlerFailure {
  return new HandlerFailure(
    'no-sandbox',
    `The command is to run in a sandbox, and ${what}. It does not run without; install bubblewrap 0.7 or newer and prlimit, and allow user namespaces. To do without: a hook that has no \`sandbox\`, and for the tool \`shell\` a policy with \`sandbox: none\`.`,
    cause,
  )
}

async function realPaths(
  paths: readonly string[] = [],
  what: string,
): Promise<string[]> {
  const found = []
  for (const path of paths) {
    mustBeWhole(path, what)
    const real = await realpath(path).catch(() => undefined)
    if (real === undefined) {
      throw notStarted(`"${path}" is to be ${what}, and is not there.`)
    }
    found.push(real)
  }
  return found
}

function mustBeWhole(path: string, what: string): void {
  if (isAbsolute(path)) return
  throw notStarted(`"${path}" is to be ${what}; give its whole path.`)
}

/**
 * Where one in a writable folder is a link that leads out of it, anybody can
 * have put it there: it could bring back what the private /tmp and /run hide.
 */
async function readOnlyThere(
  { readOnly = [], writable = [] }: SandboxDefinition,
  realWritable: readonly string[],
): Promise<string[]> {
  const found = await realPaths(readOnly, 'read-only')
  for (const [index, path] of readOnly.entries()) {
    const leadsOut =
      isWithinAny(writable, path) &&
      !isWithinAny(realWritable, found[index] ?? path)
    if (!leadsOut) continue
    const message = `"${path}" is to be read-only, and leads out of what may be written to; name what it leads to.`
    throw notStarted(message)
  }
  return found
}

/** What is not there need not be hidden. */
async function hiddenThere(
  paths: readonly string[] = [],
): Promise<Required<Pick<Confinement, 'hidden' | 'hiddenFiles'>>> {
  const hidden: string[] = []
  const hiddenFiles: string[] = []
  for (const path of paths) {
    mustBeWhole(path, 'hidden')
    const real = await realpath(path).catch(() => undefined)
    const stats = real && (await stat(real).catch(() => undefined))
    if (!real || !stats) continue
    if (stats.isDirectory()) hidden.push(real)
    else hiddenFiles.push(real)
  }
  return { hidden, hiddenFiles }
}

interface Confinement {
  readonly sandbox: SandboxDefinition
  /** Seen although they may lie where everything is hidden. */
  readonly visible: readonly string[]
  readonly writable: readonly string[]
  /** What of that is not. */
  readonly readOnly: readonly string[]
  /** Folders that are seen by no means. */
  readonly hidden?: readonly string[]
  readonly hiddenFiles?: readonly string[]
}

/** The system to read, no other processes, no rights, a /tmp of its own. */
export function sandboxArguments(
  cwd: string,
  {
    sandbox,
    visible,
    writable,
    readOnly,
    hidden = [],
    hiddenFiles = [],
  }: Confinement,
): string[] {
  const usual = [...new Set(['/tmp', '/run', tmpdir()])]
  const shown = visible.filter((path) => usual.some((top) => isIn(path, top)))
  const resolver = '/run/systemd/resolve'
  return [
    ...['--die-with-parent', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...(sandbox.network === true ? [] : ['--unshare-net']),
    // As root it would keep the right to mount everything anew.
    ...['--cap-drop', 'ALL'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    // Whatever is not a device there would be memory without a limit.
    ...memoryFolder('/dev/shm', sandbox),
    ...['--remount-ro', '/dev'],
    // As root it could set there what the system runs, without any right.
    ...['--ro-bind-try', '/proc/sys', '/proc/sys'],
    // In /run are the sockets of those who could do it for the command.
    ...usual.flatMap((folder) => memoryFolder(folder, sandbox)),
    ...(sandbox.network === true ? ['--ro-bind-try', resolver, resolver] : []),
    ...shown.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...writable.flatMap((folder) => ['--bind', folder, folder]),
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...(sandbox.readOnly ?? []).flatMap((path) => ['--ro-bind', path, path]),
    // After all the rest, which could lead there.
    ...hiddenFilesIn(hiddenFiles, hidden),
    ...hidden.flatMap((folder) => memoryFolder(folder, sandbox)),
    ...['--chdir', cwd],
  ]
}

/** Another, which cannot be read, in place of each; those in hidden folders are. */
function hiddenFilesIn(
  files: readonly string[],
  folders: readonly string[],
): string[] {
  return files
    .filter((file) => !folders.some((folder) => isIn(file, folder)))
    .flatMap((file) => ['--ro-bind', '/dev/null', file])
}

/** Whether a path is one of these folders, or in one. */
function isWithinAny(folders: readonly string[], path: string): boolean {
  const whole = resolve(path)
  return folders
    .map((folder) => resolve(folder))
    .some((folder) => whole === folder || isIn(whole, folder))
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
