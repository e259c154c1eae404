import { createEngine, type EngineOptions } from '../create-engine.ts'
import {
  type Hook,
  HookError,
  type HookRecord,
  type InputOf,
  type Outcome,
  type Point,
  type RunOptions,
} from '../engine/index.ts'
import { createMemoryRecords } from '../ports/memory-records.ts'
import { compileTable } from '../table/compile-table.ts'
import { Trial } from './trial.ts'

export interface TryOptions<P extends Point> extends RunOptions<P> {
  /** Other hooks of the same table. */
  readonly beside?: readonly Hook[]
  /** Ports of the engine, for example a fake clock. */
  readonly engine?: EngineOptions
}

/** Runs one hook against its point, with everything an engine does. */
export async function tryHook<P extends Point>(
  // biome-ignore lint/suspicious/noExplicitAny: any execution, writing or not
  hook: Hook<P, any, any>,
  input: InputOf<P>,
  options: TryOptions<P> = {},
): Promise<Trial<P>> {
  const { beside = [], engine: ports, ...run } = options
  const records = createMemoryRecords()
  const contributed: { by: string; kind: string; value: unknown }[] = []
  // A hook of one point is a hook; its matcher's type does not show it.
  const hooks = [hook as unknown as Hook, ...beside]
  const engine = createEngine(compileTable(hooks), {
    collect: (all) => contributed.push(...all),
    ...ports,
    records,
  })
  let failure: HookError | undefined
  engine.observe((event) => {
    const isOurs = event.type === 'hook-end' && event.record.hook === hook.name
    if (isOurs) failure = event.error
  })
  let outcome: Outcome<P> | HookError
  try {
    outcome = await engine.run(hook.on, input, run)
    contributed.push(...outcome.contributions.all)
  } catch (error) {
    if (!(error instanceof HookError)) throw error
    outcome = error
  }
  await engine.drain()
  const isOurs = ({ hook: name }: HookRecord) => name === hook.name
  return new Trial({
    point: hook.on,
    hook: hook.name,
    outcome,
    record: records.all().findLast(isOurs),
    error: failure,
    contributed: contributed.filter(({ by }) => by === hook.name),
  })
}
