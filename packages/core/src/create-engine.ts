import {
  type Engine,
  type EnginePorts,
  HookEngine,
  HookError,
  type Table,
  untouched,
} from './engine/index.ts'
import { plainJudge } from './judge/judge.ts'
import { LocalObservers } from './observe/observers.ts'
import { CountingBreaker } from './ports/breaker.ts'
import { createIds } from './ports/ids.ts'
import { createMemoryState } from './ports/memory-state.ts'
import { quickHash } from './ports/quick-hash.ts'
import { runWriter } from './ports/run-writer.ts'
import { systemClock } from './ports/system-clock.ts'
import { WallOffsets } from './ports/wall-offsets.ts'

/** What an engine can be told: its ports and limits, each with a default. */
export interface EngineOptions
  extends Partial<Omit<EnginePorts, 'observers' | 'wall' | 'writer'>> {
  /** Failures in a row that put a hook into quarantine; default 5. */
  readonly breakerFailures?: number
  /** How long it stays there; default 60 s. */
  readonly breakerMs?: number
}

/** The table of an engine without hooks. */
export const emptyTable: Table = Object.freeze({
  hooks: Object.freeze([]),
  plans: new Map(),
})

/** An engine on this platform: state stays in memory, records go nowhere. */
export function createEngine(
  table: Table = emptyTable,
  options: EngineOptions = {},
): Engine {
  const { breakerFailures = 5, breakerMs = 60_000 } = options
  checkLimits(options)
  // An option that is undefined is one that was not given.
  const given = Object.fromEntries(
    Object.entries(options).filter(([, option]) => option !== undefined),
  )
  return new HookEngine(table, {
    clock: systemClock,
    wall: new WallOffsets(options.clock ?? systemClock),
    state: createMemoryState().at({}),
    writer: runWriter,
    hash: quickHash,
    nextId: createIds(),
    observers: (engine) => new LocalObservers(engine),
    dispatchMs: 60_000,
    parallelism: 16,
    maxDepth: 8,
    maxNested: 1_000,
    judge: plainJudge,
    breaker: new CountingBreaker(breakerFailures, breakerMs),
    ...given,
  })
}

/** A limit that is no positive number would hang or let everything through. */
function checkLimits(options: EngineOptions): void {
  for (const [name, limit] of Object.entries(options)) {
    if (typeof limit !== 'number' || limit > 0) continue
    const message = `The option ${name} is not a positive number.`
    throw new HookError('invalid-call', message)
  }
}

/** An engine that has no hooks and never will: as if there were no points. */
export const noopEngine: Engine = Object.freeze({
  table: emptyTable,
  // Every point allows proceed.
  run: (_: unknown, input: unknown) => untouched(input) as never,
  swap: () => {},
  perform: async () => 'unregistered' as const,
  drain: async () => {},
  observe: () => () => {},
  counts: () => new Map(),
})
