import type { LateNote, Said } from 'hookline'
import { canonicalJson } from '../../seal/canonical-json.ts'
import type { ContentLevel } from '../content/content-level.ts'
import type { SqlValue, Statement } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { createDigest, createInputHash } from './input-hash.ts'
import { callIdOf, momentOf } from './run-moment.ts'
import type { RunEnd, RunStart } from './run-start.ts'
import { endPlainRun, endWholeRun } from './run-statements.ts'
import { createRunTexts } from './run-texts.ts'

export interface RunRowOptions {
  readonly content: ContentLevel
  /** For hashes that nobody without it can try secrets against. */
  readonly key: string | undefined
}

/** A run of which something is to be written: its start, its end, or both. */
export interface PendingRun {
  readonly type: 'run'
  readonly id: string
  /** Counts what this process has begun: the order within a millisecond. */
  readonly place: number
  readonly start: RunStart | undefined
  end: RunEnd | undefined
  /** What it said, once it has ended. */
  said: Said | undefined
  readonly input: unknown
  late: LateNote | undefined
}

/** Makes of runs what is written of them: redacted and bounded. */
export interface RunRows {
  /** Adds a row's values, in the order of `runColumns`. */
  add(run: PendingRun, values: SqlValue[]): void
  /** Adds the end of a run to its start, which is written. */
  end(run: PendingRun, end: RunEnd): Statement
  /** As `end`, if it says nothing but what most ends say. */
  endPlainly(run: PendingRun, end: RunEnd): Statement
}

export function createRunRows(
  parts: StoreParts,
  { content, key }: RunRowOptions,
): RunRows {
  const { worker } = parts
  const texts = createRunTexts(parts, content)
  const inputHash = createInputHash(key)
  const digest = createDigest(key)
  const hasHashes = content !== 'none'

  // In the order of the columns of `endPlainRun`, with which `endWholeRun` begins.
  const plainValues = (end: RunEnd): SqlValue[] => [
    end.state,
    end.latencyMs ?? null,
    end.answer ?? null,
    end.decided ? 1 : 0,
    end.failedOpen ? 1 : 0,
  ]

  return {
    add({ id, place, start, end, said, input, late }, values) {
      // There is no pending run without one of them.
      const about = (end ?? start) as RunEnd | RunStart
      const { point, hook, scope, dispatch } = about
      const { handler, visibility, mode, inside } = end ?? start ?? {}
      const moment = momentOf(scope)
      const hash =
        hasHashes && input !== undefined ? inputHash(input) : undefined
      const deadlineMs = start?.deadlineMs ?? Infinity
      values.push(
        id,
        dispatch,
        inside ?? null,
        moment.sessionId ?? null,
        moment.turnId ?? null,
        // A model chooses it; the table of calls has it like this, too.
        texts.name(callIdOf(point, input)),
        texts.name(moment.agent),
        point,
        hook,
        texts.name(handler?.id),
        handler?.kind ?? null,
        texts.name(handler?.version),
        visibility ?? null,
        mode ?? null,
        about.attempt ?? 1,
        end?.state ?? 'started',
        end?.note ?? null,
        Math.floor(about.startedAt),
        place,
        end?.latencyMs ?? null,
        deadlineMs < Infinity ? deadlineMs : null,
        end?.answer ?? null,
        end ? texts.reason(end) : null,
        texts.said(said, end?.reason),
        end?.decided ? 1 : 0,
        end?.failure?.code ?? null,
        end ? texts.failure(end) : null,
        end?.policy ?? null,
        end?.failedOpen ? 1 : 0,
        end ? texts.contributions(end) : null,
        end ? texts.diagnostics(end) : null,
        hash === undefined
          ? null
          : digest(
              `[${canonicalJson(point)},"${hash}",${canonicalJson(hook)},${moment.text}]`,
            ),
        hash ?? null,
        worker,
        late?.settled ?? null,
        late?.latencyMs ?? null,
        texts.content(input),
        texts.payload(id, input),
      )
    },
    end({ id, late, said }, end) {
      const { handler, attempt } = end
      const values = [
        ...plainValues(end),
        texts.reason(end),
        texts.said(said, end.reason),
        end.note ?? null,
        end.failure?.code ?? null,
        texts.failure(end),
        end.policy ?? null,
        texts.contributions(end),
        texts.diagnostics(end),
        late?.settled ?? null,
        late?.latencyMs ?? null,
        end.inside ?? null,
        texts.name(handler?.id),
        handler?.kind ?? null,
        texts.name(handler?.version),
        end.visibility ?? null,
        end.mode ?? null,
        id,
        attempt,
        worker,
      ]
      return { sql: endWholeRun, values }
    },
    endPlainly({ id }, end) {
      const values = plainValues(end)
      values.push(id, end.attempt, worker)
      return { sql: endPlainRun, values }
    },
  }
}
