import {
  type AsyncScope,
  type Engine,
  HookError,
  type LateNote,
  type RecordSink,
} from 'hookline'

/** What an engine has that `Engine` does not show. */
interface EngineInside extends Engine {
  readonly ports: {
    readonly asyncScope?: AsyncScope
    readonly writer: { late(run: StrayRun, settled: 'threw'): LateNote }
    readonly records?: RecordSink
  }
  alarm(code: 'late', about: string): void
  /** A port that throws is alarmed, and changes nothing. */
  guard(port: string, use: () => unknown): unknown
}

/** A run of a hook as the engine itself sees it. */
interface StrayRun {
  readonly hook: string
  readonly point: string
  /** Its id, `dispatch/hook`. */
  readonly run: string
  readonly scope: object
  readonly home: { readonly engine: EngineInside }
  /** Its answer has been used, or is not wanted any more. */
  readonly isOver: boolean
  /** Among them, what voids its answer. */
  readonly deeds: { breach?: HookError }
  readonly emit: (event: unknown) => void
}

/** Whether the engine can tell which run the code now running belongs to. */
export function knowsRuns(engine: Engine): boolean {
  return scopeOf(engine) !== undefined
}

/** The run of a hook of this engine that the code now running belongs to. */
export function currentRun(engine: Engine): StrayRun | undefined {
  const current = scopeOf(engine)?.current()
  if (typeof current !== 'object' || current === null) return undefined
  // Only the engine itself puts anything there, and that is its runs.
  const run = current as StrayRun
  return run.home?.engine === engine ? run : undefined
}

/**
 * Attaches an error to the run that left it behind: where its answer has not
 * been used, it voids it; else there is a late note.
 */
export function attachError(run: StrayRun, cause: unknown): void {
  const { home, hook } = run
  const message = `Hook "${hook}" left an error behind.`
  const error = new HookError('threw', message, hook, cause)
  run.emit({ type: 'stray-error', error })
  if (!run.isOver) {
    run.deeds.breach ??= error
    return
  }
  const { engine } = home
  const { writer, records } = engine.ports
  const note = writer.late(run, 'threw')
  engine.guard('records', () => records?.late?.(note))
  engine.alarm('late', hook)
}

function scopeOf(engine: Engine): AsyncScope | undefined {
  // Every engine that `createRuntime` makes has them.
  return (engine as Partial<EngineInside>).ports?.asyncScope
}
