import type { LateNote, RecordSink } from 'hookline'
import type { ContentLevel } from '../content/content-level.ts'
import type { StoreParts } from '../parts.ts'
import { type Batch, BatchWriter } from './batch-writer.ts'
import { createRunRows, type PendingRun } from './run-row.ts'
import { type RunStart, runIdOf } from './run-start.ts'
import { gapStatement } from './run-statements.ts'
import { BegunRuns, type Pending, unitOf } from './run-unit.ts'

export interface RunRecordsOptions {
  /**
   * How much is kept: nothing of what a run was given, and nothing that the
   * hook said; hashes of it and how the hook failed; also a redacted copy of
   * both; also all of it, in the payload. Default: metadata.
   */
  readonly content?: ContentLevel
  /** For hashes that nobody without it can try secrets against. */
  readonly key?: string
  /** How many records wait while the database is away. Default: 10 000. */
  readonly maxWaiting?: number
  /** How long records may wait for others. Default: 20. */
  readonly patienceMs?: number
}

/** Keeps the records of hook runs; many are written together. */
export interface RunRecords extends RecordSink {
  start(run: RunStart): void
  late(note: LateNote): void
  /**
   * Settles when all that was recorded so far is on the disk. Rejects if that
   * cannot be now, or if records were lost since it was last asked for.
   */
  flush(): Promise<void>
  /** As `flush`, and tells of no losses: they are for whoever acts on records. */
  written(): Promise<void>
  close(): Promise<void>
}

const maxBatch = 256

export function createRunRecords(
  parts: StoreParts,
  options: RunRecordsOptions = {},
): RunRecords {
  const { content = 'metadata', key, maxWaiting = 10_000 } = options
  const { database, clock, nextId } = parts
  const rows = createRunRows(parts, { content, key })
  /** The newest of each run that no batch has taken yet. */
  const queued = new Map<string, PendingRun>()
  const begun = new BegunRuns()
  let place = 0

  /** What was last to be written, and the id of what is said of losses. */
  let last: Pick<Batch<Pending>, 'items'> & { readonly gapId: string } = {
    items: [],
    gapId: '',
  }

  const write = async ({ items, lost, isPatient }: Batch<Pending>) => {
    // After a failure the same again: perhaps it was written.
    if (last.items !== items) last = { items, gapId: nextId() }
    for (const item of items) {
      if (item === queued.get(item.id)) queued.delete(item.id)
    }
    const statements = unitOf(items, rows, begun)
    if (lost > 0) statements.push(gapStatement(last.gapId, 'runs', lost))
    await database.write({ name: 'runs.write', statements, isPatient })
    begun.written(items)
  }

  const writer = new BatchWriter<Pending>({
    clock,
    name: 'run records',
    write,
    maxWaiting,
    maxBatch,
    patienceMs: options.patienceMs ?? 20,
  })

  const add = (
    id: string,
    run: Pick<PendingRun, 'start' | 'end' | 'said' | 'input'>,
  ): void => {
    place++
    const item: PendingRun = {
      type: 'run',
      id,
      place,
      late: undefined,
      ...run,
    }
    if (writer.add(item)) queued.set(id, item)
    else begun.forget(id)
  }

  return {
    start(run) {
      const { input } = run
      const none = { end: undefined, said: undefined }
      add(runIdOf(run), { start: run, ...none, input })
    },
    end({ record, ending: said }) {
      const id = runIdOf(record)
      const started = queued.get(id)
      if (started !== undefined && started.end === undefined) {
        started.end = record
        started.said = said
      } else {
        const none = { start: undefined, input: undefined }
        add(id, { ...none, end: record, said })
      }
    },
    late(note) {
      const id = runIdOf(note)
      const run = queued.get(id)
      if (run === undefined) writer.add({ type: 'late', id, late: note })
      else run.late = note
    },
    flush: () => writer.flush(),
    written: () => writer.written(),
    close: () => writer.close(),
  }
}
