import { z } from 'zod'
import {
  configLayer,
  failurePolicy,
  mode,
  runState,
  safety,
  trustState,
  visibility,
} from './closed-sets.ts'
import { done, id, json, jsonObject, nothing, problem, time } from './common.ts'

/** A hook as it is planned. */
export const hook = z.object({
  name: z.string(),
  point: z.string(),
  handler: z.object({
    id: z.string(),
    kind: z.string(),
    version: z.string().optional(),
  }),
  /** Where it is written: a file and its line, a plugin, or code. */
  source: z.object({
    kind: z.enum(['file', 'plugin', 'code', 'dialect']),
    layer: configLayer.optional(),
    file: z.string().optional(),
    line: z.number().int().optional(),
    name: z.string().optional(),
    /** The use of a catalogue's entry that it is one of the hooks of. */
    use: z.string().optional(),
  }),
  /** Its place among the hooks of its point, from 1; absent if it does not run. */
  order: z.number().int().optional(),
  priority: z.number(),
  execution: z.string(),
  /** How long it may take. */
  timeoutMs: z.number().optional(),
  /** Its policy; of hooks that were not made, who says it. */
  onFailure: z.string(),
  mode,
  visibility,
  matcher: z.string(),
  capabilities: z.array(z.string()),
  /** Where what it is given can go: a server, a model, any network. */
  reaches: z.string(),
  isEnabled: z.boolean(),
  /** Who switched it off, or why it does not run. */
  disabledBy: z.string().optional(),
  isManaged: z.boolean(),
})

export type ListedHook = z.infer<typeof hook>

/** What a hook would have said about something that happened. */
export const judged = z.object({
  dispatch: z.string(),
  runId: z.string().optional(),
  at: time,
  sessionId: z.string().optional(),
  /** What it was about: a tool and its arguments, shortened and redacted. */
  about: z.string(),
  before: z.string().optional(),
  now: z.string().optional(),
  reason: z.string().optional(),
  failure: z.string().optional(),
  /** It was tried on what is kept without its secrets. */
  isRedacted: z.boolean().optional(),
})

/** The plan of a point: who is asked, in which order, and what comes of it. */
const plan = z.object({
  point: z.string(),
  agent: z.string(),
  /** What hooks may answer there. */
  answers: z.array(z.string()),
  contributions: z.array(z.string()),
  flow: z.string(),
  /** What a refusal leads to. */
  whenRefused: z.string(),
  steps: z.array(
    hook.extend({
      /** Why it stands where it does. */
      because: z.string(),
      matches: z.enum(['yes', 'no', 'depends']),
      /** What it may answer, with what it has declared. */
      mayAnswer: z.array(z.string()),
      /** What comes of it when it gives no valid answer. */
      whenItFails: z.string(),
      /** Those of one lane may run at the same time; from 1, observers last. */
      lane: z.number().int(),
      /** Nobody waits for it. */
      isObserver: z.boolean(),
    }),
  ),
  /** What hooks of the plan say of each other: `from` comes before `to`. */
  ties: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      /** Said by the later one, by the earlier one; or it has to complete. */
      kind: z.enum(['after', 'before', 'needs']),
    }),
  ),
})

export type ListedPlan = z.infer<typeof plan>

/** Why a change that holds is not kept yet; it is tried again until it is. */
const notKept = z.string().optional()

export const hooks = {
  listHooks: {
    input: z.strictObject({ agent: id.optional(), point: id.optional() }),
    output: z.object({
      items: z.array(hook),
      /** All points of the lifecycle, in its order, with hooks or without. */
      points: z.array(z.string()),
    }),
  },
  explainHooks: {
    input: z.strictObject({
      point: id,
      agent: id.optional(),
      tool: id.optional(),
      /** Arguments of the call, as JSON text. */
      args: z.string().max(100_000).optional(),
    }),
    output: plan,
  },
  previewHook: {
    input: z.strictObject({
      name: id,
      isEnabled: z.boolean().optional(),
      mode: mode.optional(),
      agent: id.optional(),
    }),
    /** The plan of its point as it is, and as it would be. */
    output: z.object({ before: plan, after: plan }),
  },
  setHook: {
    input: z.strictObject({
      name: id,
      isEnabled: z.boolean().optional(),
      mode: mode.optional(),
      /** When it is as before; default: until somebody says so. */
      until: time.optional(),
      reason: z.string().max(1_000).optional(),
    }),
    output: hook.extend({ problem: notKept }),
  },
  /** All hooks of one use of an entry, at once: none is switched alone. */
  setUse: {
    input: z.strictObject({
      use: id,
      isEnabled: z.boolean().optional(),
      mode: mode.optional(),
      until: time.optional(),
      reason: z.string().max(1_000).optional(),
    }),
    output: z.object({ items: z.array(hook), problem: notKept }),
  },
  disableAllHooks: {
    input: z.strictObject({
      until: time,
      reason: z.string().max(1_000).optional(),
    }),
    output: z.object({
      disabled: z.number().int(),
      denying: z.number().int(),
      problem: notKept,
    }),
  },
  enableAllHooks: { input: nothing, output: done.extend({ problem: notKept }) },
  backtest: {
    input: z.strictObject({
      /** A hook that there is, or one that is only written down. */
      hook: z.union([id, jsonObject]),
      /**
       * The file that holds it, where it is only written down. What is within
       * the project, or in no file at all, runs only if it is trusted.
       */
      file: z.string().max(4_096).optional(),
      /** Which hook of a use that is written down, where there are several. */
      part: id.optional(),
      since: time,
      until: time.optional(),
      sessionId: id.optional(),
      limit: z.number().int().min(1).max(100_000).optional(),
    }),
    output: z.object({
      point: z.string(),
      looked: z.number().int(),
      judged: z.number().int(),
      matched: z.number().int(),
      changed: z.number().int(),
      /** Runs that do not have what the hook needs to see. */
      lacking: z.array(
        z.object({ dispatch: z.string(), at: time, reason: z.string() }),
      ),
      lackingCount: z.number().int(),
      differences: z.array(judged),
      /** Time was up before all of them were looked at. */
      isCut: z.boolean(),
    }),
  },
  testHook: {
    input: z.strictObject({
      /** A hook that there is, or one that is only written down. */
      hook: z.union([id, jsonObject]),
      /** As for a backtest. */
      file: z.string().max(4_096).optional(),
      part: id.optional(),
      agent: id.optional(),
      /** All that its point is given; or what that can be made of: */
      input: jsonObject.optional(),
      tool: id.optional(),
      args: jsonObject.optional(),
      safety: safety.optional(),
      owner: id.optional(),
      /** What is said, or what a call gave. */
      text: z.string().max(100_000).optional(),
    }),
    output: z.object({
      hook: z.string(),
      point: z.string(),
      input: json,
      /** Absent where its matcher does not want the moment. */
      answer: z
        .object({
          state: runState,
          answer: z.string().optional(),
          reason: z.string().optional(),
          /** What it would go on with, or what would come of it, instead. */
          result: json.optional(),
          failure: z
            .object({ code: z.string(), message: z.string() })
            .optional(),
          policy: failurePolicy.optional(),
          contributions: z.array(z.string()),
          /** What it said about itself, or what was found out about a failure. */
          diagnostics: z.array(
            z.object({ code: z.string(), message: z.string() }),
          ),
          latencyMs: z.number(),
        })
        .optional(),
    }),
  },
  checkHooks: {
    input: nothing,
    output: z.object({
      items: z.array(
        z.object({
          hook: z.string(),
          level: z.enum(['ok', 'warning', 'error']),
          checks: z.array(
            z.object({
              name: z.string(),
              level: z.enum(['ok', 'warning', 'error']),
              message: z.string(),
            }),
          ),
        }),
      ),
      problems: z.array(problem),
    }),
  },
  listUntrusted: {
    input: nothing,
    output: z.object({
      items: z.array(
        z.object({
          hash: z.string(),
          name: z.string(),
          file: z.string().optional(),
          /** What it would do: the definition and the files that it names. */
          shows: json.optional(),
          state: trustState,
        }),
      ),
    }),
  },
  trust: {
    input: z.strictObject({
      hashes: z.array(z.string().max(200)).min(1).max(500),
    }),
    output: z.object({
      trusted: z.number().int(),
      /** Why nothing new runs all the same. */
      refusal: z.string().optional(),
    }),
  },
}
