import type { OperationName } from '../protocol/routes.ts'
import type { Service } from '../protocol/service.ts'

/** What the daemon itself answers. */
type OfDaemon =
  | 'health'
  | 'ready'
  | 'info'
  | 'metrics'
  | 'openapi'
  | 'shutdown'
  | 'createLogin'
  | 'login'
  | 'logout'

/** What sessions, their streams and what wakes them answer. */
type OfSessions =
  | 'listSessions'
  | 'createSession'
  | 'getSession'
  | 'listMessages'
  | 'getResult'
  | 'listTurns'
  | 'send'
  | 'resume'
  | 'steer'
  | 'cancel'
  | 'compact'
  | 'closeSession'
  | 'deleteSession'
  | 'exportSession'
  | 'watchSession'
  | 'watchAll'
  | 'attend'
  | 'emit'
  | 'listWakes'
  | 'createWake'
  | 'deleteWake'
  | 'listQuestions'
  | 'answerQuestions'

/** Everything else that can be asked of a daemon. */
export type OperationService = Pick<
  Service,
  Exclude<OperationName, OfDaemon | OfSessions>
>
