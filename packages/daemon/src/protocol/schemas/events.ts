import type { AgentEvent } from 'hookline/lifecycle'
import { z } from 'zod'
import { cursor, done, id, json, page, pageOf, time } from './common.ts'

const agentEvent = z.custom<AgentEvent>().meta({
  description: 'What an agent tells: its type says what else it has.',
  type: 'object',
})

/** What comes on a stream. */
const streamItem = z.union([
  z.object({ type: z.literal('event'), cursor, at: time, event: agentEvent }),
  /** What the daemon tells that is no agent's: a reload, an approval, an alarm. */
  z.object({
    type: z.literal('notice'),
    cursor: cursor.optional(),
    at: time,
    name: z.string(),
    data: json.optional(),
  }),
  /** What was asked for is gone; the stream goes on from here. */
  z.object({ type: z.literal('reset'), cursor, reason: z.string() }),
  /** Whoever reads was too slow: so many were left out before this place. */
  z.object({ type: z.literal('lagged'), cursor, missed: z.number().int() }),
])

export type StreamItem = z.infer<typeof streamItem>

const watch = {
  /** The cursor of the last item that was read; default: from now on. */
  after: cursor.optional(),
  /** From the oldest that is kept; `after` goes before it. */
  fromStart: z.boolean().optional(),
  /** Ends with what is there now, instead of going on. */
  untilNow: z.boolean().optional(),
}

const eventName = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/)

const wake = z.object({
  id,
  /** What wakes: the name of an event. */
  event: z.string(),
  agent: z.string(),
  /** Which session is woken; absent: a new one each time. */
  sessionId: id.optional(),
  /** What the agent is told beside the event. */
  prompt: z.string(),
  isOnce: z.boolean(),
  createdAt: time,
  createdBy: z.string(),
  fired: z.number().int(),
})

export type Wake = z.infer<typeof wake>

export const events = {
  watchSession: {
    input: z.strictObject({ sessionId: id, ...watch }),
    output: streamItem,
  },
  watchAll: { input: z.strictObject(watch), output: streamItem },
  /**
   * Somebody looks at a session and can be asked, as whoever watches it can. It
   * is believed for a minute and a half, so that it has to be said again.
   */
  attend: {
    input: z.strictObject({
      sessionId: id,
      /** Where they look: each place comes and goes by itself. */
      place: id,
      isLeaving: z.boolean().optional(),
    }),
    output: done,
  },
  emit: {
    input: z.strictObject({
      name: eventName,
      data: json.optional(),
      /** The same key counts once. */
      key: id.optional(),
    }),
    output: z.object({ id, woken: z.number().int() }),
  },
  listWakes: { input: z.strictObject(page), output: pageOf(wake) },
  createWake: {
    input: z.strictObject({
      event: eventName,
      agent: id,
      sessionId: id.optional(),
      prompt: z.string().max(20_000).optional(),
      isOnce: z.boolean().optional(),
    }),
    output: wake,
  },
  deleteWake: { input: z.strictObject({ wakeId: id }), output: done },
}
