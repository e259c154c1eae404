import { z } from 'zod'
import { runOutcomes } from '../run-outcome.ts'
import {
  approvalState,
  callState,
  callStatus,
  decision,
  jobState,
  lasts,
  runState,
  safety,
} from './closed-sets.ts'
import {
  callId,
  cursor,
  id,
  json,
  jsonObject,
  page,
  pageOf,
  time,
} from './common.ts'
import { judged } from './hooks.ts'
import { openedRun, run } from './runs.ts'
import { turn } from './sessions.ts'

/** What one hook had to say about a call, or why it said nothing. */
const verdict = run
  .pick({
    point: true,
    hook: true,
    mode: true,
    visibility: true,
    answer: true,
    reason: true,
    decided: true,
    failure: true,
    policy: true,
    failedOpen: true,
    startedAt: true,
    latencyMs: true,
  })
  .extend({
    /** Both are absent where the record of the run is gone, and only its answer left. */
    runId: run.shape.id.optional(),
    state: run.shape.state.optional(),
  })

export type ExplainedVerdict = z.infer<typeof verdict>

/** What people were asked about a call, and what they said. */
const asked = z.object({
  id,
  state: approvalState,
  approvers: z.number().int(),
  /** All on whose behalf the call is. */
  requestedBy: z.array(z.string()),
  askedAt: time,
  expiresAt: time,
  decidedAt: time.optional(),
  decidedBy: z.string().optional(),
  reason: z.string().optional(),
  lasts: lasts.optional(),
  votes: z.array(z.object({ voter: z.string(), decision, at: time })),
})

export type ExplainedApproval = z.infer<typeof asked>

/** A call of a tool, as it is recorded. */
const call = z.object({
  callId: z.string(),
  tool: z.string(),
  owner: z.string(),
  safety,
  /** How far it has come, and how it ended. */
  state: callState,
  status: callStatus.optional(),
  error: z.string().optional(),
  seal: z.string().optional(),
  /** No hook has judged it, and policy did not ask for one. */
  isUngated: z.boolean(),
  /** Who has agreed to it, if anybody had to. */
  approvedBy: z
    .object({
      kind: z.enum(['person', 'hook']),
      /** Absent where whoever asks may not see it. */
      name: z.string().optional(),
    })
    .optional(),
  startedAt: time,
  endedAt: time.optional(),
})

/** Why a call was allowed, or was not: all who had a say, in order. */
const explanation = call.extend({
  sessionId: z.string(),
  turnId: z.string(),
  /** Who or what had the last word; absent until somebody had it. */
  decidedBy: z
    .object({
      /**
       * `check`: there is no such tool, or the arguments do not fit it.
       * `nobody`: a person had to agree, and none did in time.
       */
      kind: z.enum(['hook', 'person', 'policy', 'check', 'nobody', 'fault']),
      /** Absent where whoever asks may not see it. */
      name: z.string().optional(),
      reason: z.string().optional(),
    })
    .optional(),
  /** As they were judged, redacted; absent once they are gone. */
  args: json.optional(),
  /** As the model wrote them, where they were changed since. */
  originalArgs: json.optional(),
  /** SHA-256 over canonical JSON of the arguments as they were judged. */
  argsHash: z.string().optional(),
  /** What policy granted, as it was sealed. */
  grant: json.optional(),
  verdicts: z.array(verdict),
  /** How many more there are that whoever asks may not see. */
  hidden: z.number().int(),
  approvals: z.array(asked),
})

export type CallExplanation = z.infer<typeof explanation>

const tracedCall = call.extend({ elapsedMs: z.number().optional() })

const trace = z.object({
  turn,
  /** All of them on the first page, none on those that follow. */
  calls: z.array(tracedCall),
  /** In the order in which they began. */
  runs: z.array(run),
  /** How many runs of this page whoever asks may not see. */
  hidden: z.number().int(),
  /** There were more calls than are told. */
  isCut: z.boolean(),
  /** To be given as `after` for the runs that follow; absent at the end. */
  next: cursor.optional(),
  /**
   * After this the stream of the session tells the turn: its steps, model
   * calls and prompt. Absent where its events are no longer kept.
   */
  events: cursor.optional(),
})

export type TracedTurn = z.infer<typeof trace>

/** Which runs are meant; of all of them this is so. */
const runFilter = {
  sessionId: id.optional(),
  hook: id.optional(),
  point: id.optional(),
  state: runState.optional(),
}

export const records = {
  listRuns: {
    input: z.strictObject({
      ...page,
      ...runFilter,
      /** `failed_open` is also what took too long and was let pass. */
      outcome: z.enum(runOutcomes).optional(),
      /** Words that are all in it, in any order: names, ids, reasons, failures. */
      search: z.string().max(200).optional(),
      since: time.optional(),
      until: time.optional(),
    }),
    /** Without what they were given. */
    output: pageOf(run),
  },
  watchRuns: {
    input: z.strictObject({
      /** The cursor of the last item that was read; default: from now on. */
      after: cursor.optional(),
      ...runFilter,
    }),
    /**
     * A run as it ends; that it begins is told where its state is asked for.
     * After a cursor some may come again that came before it.
     */
    output: z.union([
      z.object({ type: z.literal('run'), cursor, run }),
      /** Whoever reads was too far behind: so many were left out here. */
      z.object({
        type: z.literal('lagged'),
        cursor,
        missed: z.number().int(),
      }),
      z.object({
        type: z.literal('notice'),
        cursor: cursor.optional(),
        at: time,
        name: z.string(),
      }),
    ]),
  },
  getRun: {
    input: z.strictObject({ runId: id }),
    output: openedRun,
  },
  replayRun: { input: z.strictObject({ runId: id }), output: judged },
  whyCall: {
    input: z.strictObject({
      callId,
      /** Ids of calls are unique in a session only. */
      sessionId: id.optional(),
      turnId: id.optional(),
      /** Of several, those are meant whose session works in this folder. */
      cwd: z.string().max(4_096).optional(),
    }),
    output: explanation,
  },
  traceTurn: {
    input: z.strictObject({ sessionId: id, turnId: id, ...page }),
    output: trace,
  },
  listAudit: {
    input: z.strictObject({ ...page, sessionId: id.optional() }),
    output: pageOf(jsonObject),
  },
  verifyAudit: {
    input: z.strictObject({
      /** Ends of the log that whoever asks has kept, beside the daemon's own. */
      anchors: z
        .array(
          z.object({ seq: z.number().int().min(0), hash: z.string().max(200) }),
        )
        .max(10_000)
        .optional(),
    }),
    output: jsonObject,
  },
  listJobs: {
    input: z.strictObject({ ...page, state: jobState.optional() }),
    output: pageOf(jsonObject).extend({ counts: jsonObject }),
  },
}
