import type { SandboxDefinition } from '../definition.ts'
import type { OutputListeners } from './child-streams.ts'
import type { LivingProcess, LivingSpec } from './living-process.ts'
import type { Exceeded } from './watch-limits.ts'

/** A program that is to run once. */
export interface CommandSpec {
  /** The program and its arguments; no shell reads them. */
  readonly argv: readonly string[]
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly stdin: string
  /** From its start on, but time spent waiting for a place counts. */
  readonly timeoutMs: number
  /** Between asking it to end and ending it; default 1 s. */
  readonly graceMs?: number
  readonly signal?: AbortSignal
  readonly maxStdoutBytes?: number
  readonly maxStderrBytes?: number
  readonly sandbox?: SandboxDefinition
  /** Asked right before it starts, however long it has waited; may throw. */
  readonly checkStart?: () => void
}

/** How it ended. */
export interface CommandEnd {
  /** Absent when a signal ended it. */
  readonly exitCode: number | undefined
  readonly signal: string | undefined
  readonly stdout: string
  readonly stderr: string
  /** There was more than its maximum. */
  readonly isStdoutCut: boolean
  readonly isStderrCut: boolean
  /** Its output is no UTF-8; what was not is U+FFFD in `stdout`. */
  readonly isInvalidText?: boolean
  /** It took more of this than its sandbox allows, so that it was ended. */
  readonly exceeded?: Exceeded
  /** Its time was up, so that it was ended. */
  readonly isTimedOut: boolean
  /** It could not be ended, and was left behind. */
  readonly isUnkillable?: boolean
  /** Processes that it left behind and that were ended. */
  readonly survivors: readonly number[]
  readonly elapsedMs: number
}

/**
 * Runs programs, so many at a time. A program that cannot be started, or that
 * the signal has stopped, is a `HandlerFailure`; whatever else a started one
 * does is a `CommandEnd`.
 */
export interface CommandRunner {
  run(spec: CommandSpec): Promise<CommandEnd>
  /** Starts a program that goes on running; it takes no place. */
  start?(spec: LivingSpec, listeners: OutputListeners): Promise<LivingProcess>
  /** Ends what still runs. */
  close(): Promise<void>
}
