import { writeSync } from 'node:fs'
import { inspect } from 'node:util'
import { AgentError } from '../ports/agent-error.ts'
import type { Runtime } from './runtime.ts'
import { attachError, currentRun, knowsRuns } from './stray-run.ts'

/** An error that a hook left behind, and the run that it came from. */
export interface StrayError {
  readonly hook: string
  readonly point: string
  /** The id of the run, `dispatch/hook`. */
  readonly run: string
  readonly scope: object
  readonly error: unknown
}

export interface StrayErrorOptions {
  /** Default: a warning of the process. */
  readonly onStray?: (stray: StrayError) => void
}

interface Contained {
  readonly engine: Runtime['engine']
  readonly onStray: (stray: StrayError) => void
}

/** All runtimes share the listeners, so that none takes others' for a stranger. */
const contained = new Set<Contained>()

/** Held as what was thrown, which may be no object. */
let last: { readonly error: unknown } | undefined

/**
 * For programs: lets the process live when a hook of this runtime leaves a
 * promise behind that is rejected, or throws from a timer or a callback. The
 * error is attached to the run that caused it; all others end the process as
 * they would have. Returns how to undo it.
 */
export function containStrayErrors(
  { engine }: Pick<Runtime, 'engine'>,
  { onStray = warn }: StrayErrorOptions = {},
): () => void {
  if (!knowsRuns(engine)) {
    const message =
      'The runtime cannot tell whose error it is; make it with `engine: { asyncScope: createAsyncScope() }`.'
    throw new AgentError('invalid-config', message)
  }
  const one = { engine, onStray }
  if (contained.size === 0) {
    // First, so that all others can ask whether it is contained.
    process.prependListener('uncaughtException', onException)
    process.prependListener('unhandledRejection', onRejection)
  }
  contained.add(one)
  return () => {
    if (!contained.delete(one) || contained.size > 0) return
    process.off('uncaughtException', onException)
    process.off('unhandledRejection', onRejection)
  }
}

/**
 * For programs that listen themselves: whether the error that they are being
 * told of was left behind by a hook, and is attached to its run.
 */
export function isContainedError(error: unknown): boolean {
  return last !== undefined && Object.is(last.error, error)
}

function onException(error: unknown): void {
  if (attach(error)) return
  // Whoever else listens has said that the process may live.
  if (process.listenerCount('uncaughtException') > 1) return
  endProcess(error)
}

function onRejection(reason: unknown): void {
  if (attach(reason)) return
  if (process.listenerCount('unhandledRejection') > 1) return
  // As without us: what nobody handles becomes an uncaught exception.
  throw reason
}

/** Whether it was left behind by a hook. */
function attach(error: unknown): boolean {
  last = undefined
  for (const { engine, onStray } of contained) {
    const found = currentRun(engine)
    if (found === undefined) continue
    last = { error }
    attachError(found, error)
    const { hook, point, run, scope } = found
    onStray({ hook, point, run, scope, error })
    return true
  }
  return false
}

function warn({ hook, point, run, error }: StrayError): void {
  const message = `Hook "${hook}" on ${point} left an error behind in the run ${run}.`
  const code = 'HOOKLINE_STRAY_ERROR'
  process.emitWarning(message, { code, detail: describe(error) })
}

/** Node would do the same, if nobody listened; a throw from here is another exit. */
function endProcess(error: unknown): void {
  writeSync(2, `Uncaught ${describe(error)}\n\nNode.js ${process.version}\n`)
  process.exit(1)
}

/** What was thrown can be anything; even to look at it may throw. */
function describe(error: unknown): string {
  try {
    return inspect(error)
  } catch {
    return 'something that cannot be shown'
  }
}
