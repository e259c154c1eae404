import { z } from 'zod'
import { id, time } from './common.ts'

/** How a hook has done. */
const hookFigures = z.object({
  hook: z.string(),
  count: z.number().int(),
  isCut: z.boolean(),
  failures: z.number().int(),
  timeouts: z.number().int(),
  skipped: z.number().int(),
  failedOpen: z.number().int(),
  latency: z
    .object({
      p50: z.number(),
      p90: z.number(),
      p99: z.number(),
      max: z.number(),
    })
    .optional(),
  /** What kept it from a valid answer, the most frequent first. */
  causes: z
    .array(
      z.object({
        /** As `threw`; `unavailable`: it never ran; `quarantined`: not run, as its breaker was open. */
        code: z.string(),
        count: z.number().int(),
        lastAt: time,
      }),
    )
    .optional(),
  /** Those with a run, the oldest first. */
  spans: z
    .array(
      z.object({
        at: time,
        count: z.number().int(),
        failures: z.number().int(),
        timeouts: z.number().int(),
        skipped: z.number().int(),
        failedOpen: z.number().int(),
        p50: z.number().optional(),
        p90: z.number().optional(),
        p99: z.number().optional(),
      }),
    )
    .optional(),
  /** Open: its newest run was held back, as it kept failing. */
  breaker: z.enum(['closed', 'open']).optional(),
  /** Why it does not run until somebody switches it on, if that is so. */
  quarantine: z.string().optional(),
})

/** What turns have used; what sub-agents did for a turn is part of it. */
const usage = z.object({
  /** An agent, a session, or when a day begins. */
  key: z.string(),
  turns: z.number().int(),
  failed: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** By the prices of models; absent where none has one. */
  cost: z.number().optional(),
  /** Turns whose model has no price. */
  unpriced: z.number().int(),
  lastAt: time,
})

export const figures = {
  hookFigures: {
    input: z.strictObject({
      hook: id.optional(),
      since: time.optional(),
      until: time.optional(),
      /** Also how they did over time, in so many spans; needs `since`. */
      spans: z.number().int().min(1).max(200).optional(),
    }),
    output: z.object({ items: z.array(hookFigures) }),
  },
  usageFigures: {
    input: z.strictObject({
      by: z.enum(['agent', 'session', 'day']),
      since: time,
      until: time.optional(),
      agent: id.optional(),
      /** How many minutes the days of the caller are ahead of UTC. */
      offsetMinutes: z.number().int().min(-900).max(900).optional(),
    }),
    output: z.object({ items: z.array(usage), isCut: z.boolean() }),
  },
}
