import type { EndedRun, HookRecord, RecordSink } from 'hookline'
import { type AgentScope, event } from 'hookline/lifecycle'

interface Sum {
  readonly last: HookRecord
  count: number
  failed: number
  latencyMs: number
}

/**
 * Hooks at `event` run for every piece of text. They leave one record for each
 * hook and turn, which says how often.
 */
export class EventRecords implements RecordSink {
  /** Only there if somebody wants to know; the engine looks. */
  readonly start?: NonNullable<RecordSink['start']>
  readonly #sink: RecordSink
  readonly #turns = new Map<string, Map<string, Sum>>()

  constructor(sink: RecordSink) {
    this.#sink = sink
    if (sink.start === undefined) return
    this.start = (run) => {
      if (run.point !== event.name) sink.start?.(run)
    }
  }

  end(run: EndedRun): unknown {
    if (run.point !== event.name) return this.#sink.end(run)
    const { record } = run
    const { turnId = '' } = record.scope as AgentScope
    const hooks = this.#turns.get(turnId) ?? new Map<string, Sum>()
    const sum = hooks.get(record.hook)
    const isFailed = record.failure === undefined ? 0 : 1
    this.#turns.set(turnId, hooks)
    hooks.set(record.hook, {
      last: sum?.last.failure ? sum.last : record,
      count: (sum?.count ?? 0) + 1,
      failed: (sum?.failed ?? 0) + isFailed,
      latencyMs: (sum?.latencyMs ?? 0) + record.latencyMs,
    })
    return undefined
  }

  late(note: Parameters<NonNullable<RecordSink['late']>>[0]): void {
    this.#sink.late?.(note)
  }

  /** The observers of a turn have ended: writes what they came to. */
  flush(turnId: string): void {
    for (const { last, count, failed, latencyMs } of this.#turns
      .get(turnId)
      ?.values() ?? []) {
      const message = `${count} events, ${failed} failed`
      const counted = { code: 'event-count', message, safeForUser: true }
      const diagnostics = [...last.diagnostics, counted]
      const record = { ...last, latencyMs, diagnostics }
      this.#sink.end({ point: event.name, record, ending: {} })
    }
    this.#turns.delete(turnId)
  }
}
