import type { OperationName } from '../protocol/routes.ts'
import type { Service } from '../protocol/service.ts'

/** What can be asked about sessions, their events, wakes and questions. */
const sessionOperations = [
  'listSessions',
  'createSession',
  'getSession',
  'listMessages',
  'getResult',
  'listTurns',
  'send',
  'resume',
  'steer',
  'cancel',
  'compact',
  'closeSession',
  'deleteSession',
  'exportSession',
  'watchSession',
  'watchAll',
  'attend',
  'emit',
  'listWakes',
  'createWake',
  'deleteWake',
  'listQuestions',
  'answerQuestions',
] as const satisfies readonly OperationName[]

export type SessionService = Pick<Service, (typeof sessionOperations)[number]>

/** A part of the service, by the names of its operations. */
export type Part<Name extends keyof SessionService> = Pick<SessionService, Name>
