import { z } from 'zod'
import { turnStatuses } from '../turn-statuses.ts'
import { endReason, turnStatus } from './closed-sets.ts'
import {
  callId,
  cursor,
  done,
  id,
  json,
  jsonObject,
  newId,
  page,
  pageOf,
  time,
} from './common.ts'

const maxInputChars = 1_000_000

/** What somebody says: text, or blocks as the lifecycle has them. */
const userInput = z.union([
  z.string().min(1).max(maxInputChars),
  z.array(jsonObject).min(1).max(100),
])

/** `elsewhere`: another daemon has it; `interrupted`: a turn can go on. */
const sessionState = z.enum([
  'idle',
  'running',
  'waiting',
  'interrupted',
  'elsewhere',
  'ended',
])

const session = z.object({
  id,
  agent: z.string(),
  cwd: z.string(),
  /** What it was called, else the first words said in it; redacted, and null where content is not kept. */
  title: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
  turns: z.number().int(),
  /** Why it is over for good; null while it is not. */
  endReason: endReason.nullable(),
  /** The daemon that has it now, if one does. */
  worker: z.string().nullable(),
  /** The session that it works for, if it works for one. */
  parentId: z.string().nullable(),
  state: sessionState,
  /** The turn that runs, waits, or can go on. */
  turnId: id.optional(),
})

const sessionDetail = session.extend({
  /** Where its stream of events stands. */
  cursor: cursor.optional(),
})

export const turn = z.object({
  id,
  sessionId: id,
  number: z.number().int(),
  agent: z.string(),
  model: z.string().nullable(),
  inputId: z.string().nullable(),
  status: turnStatus,
  startedAt: time,
  endedAt: time.nullable(),
  elapsedMs: z.number().nullable(),
  steps: z.number().int().nullable(),
  toolCount: z.number().int().nullable(),
  inputTokens: z.number().int().nullable(),
  outputTokens: z.number().int().nullable(),
  error: z.string().nullable(),
})

const usage = jsonObject

/** How a turn ended, or that it has begun. */
const turnOutcome = z.object({
  turnId: id.optional(),
  sessionId: id,
  /** `started`: nobody waited; `handed-over`: another daemon has the session. */
  status: z.enum(['started', 'handed-over', ...turnStatuses]),
  text: z.string().optional(),
  value: json.optional(),
  reason: z.string().optional(),
  error: jsonObject.optional(),
  usage: usage.optional(),
  steps: z.number().int().optional(),
  isDuplicate: z.boolean().optional(),
  /** Events of the turn come after this. */
  cursor: cursor.optional(),
})

export type ListedSession = z.infer<typeof session>
export type SessionDetail = z.infer<typeof sessionDetail>
export type TurnOutcome = z.infer<typeof turnOutcome>

const sessionId = { sessionId: id }

export const sessions = {
  listSessions: {
    input: z.strictObject({
      ...page,
      agent: id.optional(),
      /** Those that work for a session. */
      parentId: id.optional(),
      state: sessionState.optional(),
      /** Words that its id, title, agent or folder has, all of them. */
      search: z.string().max(500).optional(),
    }),
    output: pageOf(session),
  },
  createSession: {
    input: z.strictObject({
      /** Default: the first agent there is. */
      agent: id.optional(),
      /** Of a session that is kept already, it goes on. */
      id: newId.optional(),
      /** Where the tools of a new one work; within the roots of the daemon. */
      cwd: z.string().max(4_096).optional(),
    }),
    output: sessionDetail,
  },
  getSession: { input: z.strictObject(sessionId), output: sessionDetail },
  listMessages: {
    input: z.strictObject({
      ...sessionId,
      /** The last ones; default: all. */
      limit: z.number().int().min(1).max(1_000).optional(),
      /** Those that come before the message with this number. */
      before: z.number().int().min(0).optional(),
    }),
    output: z.object({
      messages: z.array(jsonObject),
      /** The number of the first of them; 0: none come before it. */
      from: z.number().int(),
    }),
  },
  getResult: {
    input: z.strictObject({
      ...sessionId,
      callId,
      /** How many characters are passed over; default: none. */
      from: z.number().int().min(0).optional(),
      /** How many characters are wanted; default: 65 536. */
      limit: z.number().int().min(1).max(1_048_576).optional(),
    }),
    output: z.object({
      /** What is no text is named in its place. */
      text: z.string(),
      from: z.number().int(),
      /** How many characters there are in all. */
      length: z.number().int(),
      isError: z.boolean(),
    }),
  },
  listTurns: {
    input: z.strictObject({ ...sessionId, ...page }),
    output: pageOf(turn),
  },
  send: {
    input: z.strictObject({
      ...sessionId,
      input: userInput,
      /** The same key is answered once, whoever asks how often. */
      key: id.optional(),
      /** Answer when the turn has ended, not when it has begun. */
      wait: z.boolean().optional(),
      /** A JSON Schema of the value that is wanted. */
      output: jsonObject.optional(),
      /** What happens to the turn when whoever waits goes away. */
      whenGone: z.enum(['continue', 'cancel']).optional(),
    }),
    output: turnOutcome,
  },
  resume: {
    input: z.strictObject({ ...sessionId, wait: z.boolean().optional() }),
    output: turnOutcome,
  },
  steer: {
    input: z.strictObject({
      ...sessionId,
      input: userInput,
      key: id.optional(),
    }),
    output: z.object({
      type: z.enum(['joined', 'queued', 'rejected', 'handed-over']),
      turnId: id.optional(),
      reason: z.string().optional(),
    }),
  },
  cancel: {
    input: z.strictObject({
      ...sessionId,
      reason: z.string().max(1_000).optional(),
    }),
    output: done,
  },
  compact: {
    input: z.strictObject(sessionId),
    output: jsonObject,
  },
  closeSession: { input: z.strictObject(sessionId), output: done },
  deleteSession: { input: z.strictObject(sessionId), output: done },
  exportSession: { input: z.strictObject(sessionId), output: jsonObject },
}
