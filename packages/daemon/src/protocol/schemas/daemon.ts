import { z } from 'zod'
import { rights } from '../routes.ts'
import { callerKind } from './closed-sets.ts'
import { done, id, json, nothing, time } from './common.ts'

export const daemon = {
  health: {
    input: nothing,
    output: z.object({ status: z.literal('ok'), version: z.string() }),
  },
  ready: {
    input: nothing,
    output: z.object({
      isReady: z.boolean(),
      /** Why it is not, for people. */
      problems: z.array(z.string()),
    }),
  },
  info: {
    input: nothing,
    output: z.object({
      version: z.string(),
      protocol: z.number().int(),
      /** Of this process, as the store knows it. */
      worker: z.string(),
      pid: z.number().int(),
      startedAt: time,
      root: z.string(),
      store: z.enum(['sqlite', 'postgres']),
      /** Nothing but managed gates run, and they deny. */
      isSafe: z.boolean(),
      /** Where its pages are; absent where it shows none. */
      inspector: z.string().optional(),
      caller: z.object({
        kind: callerKind,
        id,
        rights: z.array(z.enum(rights)),
      }),
      counts: z.object({
        sessions: z.number().int(),
        turns: z.number().int(),
        streams: z.number().int(),
      }),
    }),
  },
  metrics: { input: nothing, output: z.string() },
  openapi: { input: nothing, output: json },
  shutdown: {
    input: z.strictObject({
      /**
       * How long turns that run may take; then they go on elsewhere, or later.
       * Default: as the daemon was started or configured.
       */
      graceMs: z.number().int().min(0).max(3_600_000).optional(),
    }),
    /** How long they have. */
    output: done.extend({ graceMs: z.number() }),
  },
}
