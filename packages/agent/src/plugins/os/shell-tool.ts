import { realpath } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type { MaybePromise } from 'hookline'
import type { BoundTool, Grant, ToolContext } from 'hookline/lifecycle'
import type { CommandEnd, CommandRunner } from '../../handlers.ts'
import { defineTool } from '../../index.ts'
import { checkedArgs } from './checked-args.ts'
import {
  absolutePath,
  type Confinement,
  confineTo,
  isInside,
} from './confine.ts'
import type { RootsGuard, SetAside } from './guard-roots.ts'
import { OsError } from './os-error.ts'

export interface ShellToolParts {
  readonly runner: () => CommandRunner
  /** The arguments that have a shell run a script. */
  readonly argvOf: (script: string) => MaybePromise<readonly string[]>
  /** All that commands have of the environment. */
  readonly env: Readonly<Record<string, string>>
  /** Real paths of folders that nobody gets to see. */
  readonly hidden: readonly string[]
  /** What of the roots commands must not change. */
  readonly guard: (roots: readonly string[]) => Promise<RootsGuard>
  /** Hears of protected files that a command has made. */
  readonly onSetAside: (path: string) => void
}

interface ShellArgs {
  readonly command: string
  readonly cwd?: string
  readonly timeoutMs?: number
}

const graceMs = 2_000

/** Runs a script by the shell, confined as its grant says. */
export function shellTool(parts: ShellToolParts): BoundTool {
  return defineTool({
    name: 'shell',
    description:
      'Runs a command by the shell and waits for its end; gives what it printed. Nothing can be typed into it.',
    input: {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1, maxLength: 100_000 },
        cwd: {
          type: 'string',
          description: 'Where it runs; default: the working folder.',
        },
        timeoutMs: { type: 'integer', minimum: 1 },
      },
      required: ['command'],
      additionalProperties: false,
    },
    safety: 'destructive',
    async execute(args, context) {
      const { command, cwd = '.', timeoutMs } = checkedArgs<ShellArgs>(args)
      const { grant } = context.call
      const { hidden } = parts
      const { cwd: workingFolder } = context.scope
      const confinement = await confineTo(grant.roots, workingFolder, hidden)
      const folder = await realpath(absolutePath(confinement, cwd)).catch(
        () => {
          throw new OsError(`There is no "${cwd}".`)
        },
      )
      if (!isInside(confinement, folder)) {
        throw new OsError(`"${cwd}" is outside of the folders you may use.`)
      }
      const limitMs = Math.min(grant.timeoutMs, timeoutMs ?? Infinity)
      const isGuarded = grant.sandbox === 'workspace'
      if (isGuarded) checkRoots(confinement.roots)
      const guard = await parts.guard(isGuarded ? confinement.roots : [])
      const spec = {
        argv: await parts.argvOf(command),
        env: parts.env,
        cwd: folder,
        stdin: '',
        // The rest is for it to end, and for us to tell.
        timeoutMs: Math.max(1, limitMs - Math.min(graceMs, limitMs / 10)),
        graceMs,
        signal: context.signal,
        maxStdoutBytes: Math.ceil(grant.maxOutputBytes / 2),
        maxStderrBytes: Math.ceil(grant.maxOutputBytes / 4),
        ...sandboxOf(grant, confinement, guard),
      }
      const moved: SetAside[] = []
      let end: CommandEnd
      try {
        end = await parts.runner().run(spec)
      } finally {
        if (isGuarded) moved.push(...(await guard.setAside()))
        for (const { path } of moved) parts.onSetAside(path)
      }
      return resultOf(end, moved, context)
    },
  })
}

function checkRoots(roots: readonly string[]): void {
  if (!roots.includes('/')) return
  throw new OsError(
    'A sandbox in which all of "/" may be written is none; the command does not run.',
  )
}

/** A list of hosts cannot be kept by the sandbox: then there is no network. */
function sandboxOf(
  { sandbox, network }: Grant,
  { roots, hidden }: Confinement,
  { readOnly, onTheWay }: RootsGuard,
) {
  if (sandbox === 'none') return {}
  const limits = { network: network === 'all', hidden, ...commandLimits() }
  if (sandbox === 'read_only') return { sandbox: limits }
  const writable = [...roots, ...onTheWay]
  return { sandbox: { ...limits, writable, readOnly } }
}

/** What builds need, and no command that has gone wrong gets beyond. */
function commandLimits() {
  const maxMemoryMb = Math.floor((0.8 * totalmem()) / 1_048_576)
  return { maxProcesses: 2_000, maxMemoryMb }
}

function resultOf(
  end: CommandEnd,
  moved: readonly SetAside[],
  { call }: ToolContext,
) {
  const { exitCode, signal, stdout, stderr, isTimedOut, survivors } = end
  const parts = [
    cutMark(stdout, end.isStdoutCut),
    stderr.trim() === '' ? '' : `[stderr]\n${cutMark(stderr, end.isStderrCut)}`,
  ]
  if (end.exceeded !== undefined) {
    parts.push(`[It was ended: it took more ${end.exceeded} than allowed.]`)
  } else if (isTimedOut) {
    parts.push(
      `[It was ended: it took longer than allowed (${call.grant.timeoutMs} ms at most).]`,
    )
  } else if (exitCode !== 0) {
    parts.push(`[exit ${exitCode ?? signal ?? 'unknown'}]`)
  }
  if (survivors.length > 0) {
    parts.push(`[${survivors.length} processes that it had left were ended.]`)
  }
  for (const { path, now } of moved) {
    parts.push(
      `["${path}" is protected: what is there is run, or decides what is run, later on. What the command put there is now "${now}". Ask the user.]`,
    )
  }
  const text = parts.filter((part) => part.trim() !== '').join('\n')
  const content = [
    { type: 'text' as const, text: text || '(It printed nothing.)' },
  ]
  if (exitCode === 0 && !isTimedOut && moved.length === 0) {
    return { content, isError: false as const }
  }
  const error = isTimedOut ? ('timeout' as const) : ('tool' as const)
  return { content, isError: true as const, error }
}

function cutMark(text: string, isCut: boolean): string {
  return isCut ? `${text}\n[There was more, which is left out.]` : text
}
