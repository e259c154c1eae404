import type { z } from 'zod'
import type { OperationName, routes } from './routes.ts'
import { agents } from './schemas/agents.ts'
import { approvals } from './schemas/approvals.ts'
import { config } from './schemas/config.ts'
import { daemon } from './schemas/daemon.ts'
import { events } from './schemas/events.ts'
import { figures } from './schemas/figures.ts'
import { hooks } from './schemas/hooks.ts'
import { logins } from './schemas/logins.ts'
import { records } from './schemas/records.ts'
import { sessions } from './schemas/sessions.ts'

interface OperationSchema {
  readonly input: z.ZodObject
  /** Of the answer, or of each item of a stream. */
  readonly output: z.ZodType
}

/** What goes in and out, for every route. */
export const operationSchemas = {
  ...daemon,
  ...logins,
  ...sessions,
  ...events,
  ...agents,
  ...hooks,
  ...figures,
  ...records,
  ...approvals,
  ...config,
} satisfies Record<OperationName, OperationSchema>

type Schemas = typeof operationSchemas

export type InputOf<Name extends OperationName> = z.infer<
  Schemas[Name]['input']
>

export type OutputOf<Name extends OperationName> = z.infer<
  Schemas[Name]['output']
>

/** What an operation answers with, as its route says it comes. */
export type AnswerOf<Name extends OperationName> =
  (typeof routes)[Name] extends { readonly answer: 'events' | 'lines' }
    ? AsyncIterable<OutputOf<Name>>
    : OutputOf<Name>
