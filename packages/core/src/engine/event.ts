import type { HookError } from './error.ts'
import type { Decision } from './outcome.ts'
import type { Table } from './plan.ts'
import type { HookRecord, StartedRun } from './record.ts'

/** What the engine tells whoever observes it. */
export type EngineEvent =
  | {
      readonly type: 'dispatch-start'
      readonly dispatch: string
      readonly point: string
      readonly depth: number
      readonly input: unknown
    }
  | {
      readonly type: 'dispatch-end'
      readonly dispatch: string
      readonly point: string
      readonly depth: number
      readonly decision: Decision
      readonly value: unknown
      readonly latencyMs: number
    }
  | (StartedRun & { readonly type: 'hook-start' })
  | {
      readonly type: 'hook-end'
      readonly record: HookRecord
      /** The failure with its cause, for whoever debugs; not in the record. */
      readonly error: HookError | undefined
    }
  | {
      readonly type: 'hook-event'
      readonly dispatch: string
      readonly hook: string
      readonly event: unknown
    }
  | { readonly type: 'table-swap'; readonly from: Table; readonly to: Table }
  | {
      readonly type: 'alarm'
      readonly code: AlarmCode
      /** The hook, or the port, that it is about. */
      readonly about: string
    }

export type AlarmCode = 'quarantined' | 'late' | 'job-refused' | 'port-threw'

export type EngineListener = (event: EngineEvent) => void
