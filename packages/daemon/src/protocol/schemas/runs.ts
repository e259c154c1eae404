import { z } from 'zod'
import {
  failurePolicy,
  mode,
  runNote,
  runState,
  visibility,
} from './closed-sets.ts'
import { id, json, jsonObject, time } from './common.ts'
import { hook } from './hooks.ts'

/** A run of a hook, as it is listed. */
export const run = z.object({
  id,
  dispatch: z.string(),
  inside: z.string().optional(),
  sessionId: z.string().optional(),
  turnId: z.string().optional(),
  callId: z.string().optional(),
  agent: z.string().optional(),
  point: z.string(),
  hook: z.string(),
  handler: jsonObject.optional(),
  visibility: visibility.optional(),
  mode: mode.optional(),
  attempt: z.number().int(),
  state: runState,
  note: runNote.optional(),
  startedAt: time,
  latencyMs: z.number().optional(),
  deadlineMs: z.number().optional(),
  answer: z.string().optional(),
  /** The words of its answer, redacted; only where content of runs is kept. */
  reason: z.string().optional(),
  decided: z.boolean(),
  failure: z.object({ code: z.string(), message: z.string() }).optional(),
  policy: failurePolicy.optional(),
  failedOpen: z.boolean(),
  contributions: z.array(z.object({ kind: z.string(), hash: z.string() })),
  diagnostics: z.array(json),
  idempotencyKey: z.string().optional(),
  inputHash: z.string().optional(),
  worker: z.string().optional(),
  late: json.optional(),
  /** What it was given, redacted; only where that is kept. */
  content: z.string().optional(),
})

export type ListedRun = z.infer<typeof run>

/** A value as it is kept: redacted, and only its beginning where it is long. */
const keptValue = z.discriminatedUnion('type', [
  z.object({ type: z.literal('whole'), value: json }),
  z.object({ type: z.literal('cut'), text: z.string() }),
  z.object({ type: z.literal('not-kept') }),
])

export type KeptValue = z.infer<typeof keptValue>

const attempt = run
  .pick({
    attempt: true,
    state: true,
    startedAt: true,
    latencyMs: true,
    worker: true,
  })
  .extend({ failureCode: z.string().optional() })

/** A run, and all that is known around it. */
export const openedRun = run.extend({
  /** Every try, the first one first; the last is the run itself. */
  attempts: z.array(attempt),
  given: keptValue,
  /** The value of its answer; absent where an answer of its kind has none. */
  value: keptValue.optional(),
  /** What it changed, or would have where it was only evaluated. */
  change: z
    .object({
      /** The part of what it was given that hooks may change; absent: all. */
      subject: z.string().optional(),
      before: json,
      after: json,
    })
    .optional(),
  /** What it contributed, with its content; empty where that is not kept. */
  contributed: z.array(z.object({ kind: z.string(), value: json })),
  /** All hooks of its dispatch in order, itself among them. */
  beside: z.array(
    run.pick({
      id: true,
      hook: true,
      state: true,
      mode: true,
      note: true,
      answer: true,
      decided: true,
      failedOpen: true,
      contributions: true,
      startedAt: true,
      latencyMs: true,
    }),
  ),
  /** How many more hooks there were that whoever asks may not see. */
  hidden: z.number().int(),
  /** The hook as it is now; absent where it is in no plan any more. */
  now: hook
    .extend({
      /** Why it stands where it does, among so many. */
      because: z.string(),
      among: z.number().int(),
      whenItFails: z.string(),
      /** Whether it is still what ran then, as far as its version tells. */
      isSame: z.boolean(),
    })
    .optional(),
})

export type OpenedRun = z.infer<typeof openedRun>
