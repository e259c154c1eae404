import type { Service } from '../protocol/service.ts'

/** What the daemon itself answers. */
type DaemonService = Pick<
  Service,
  | 'health'
  | 'ready'
  | 'info'
  | 'metrics'
  | 'openapi'
  | 'shutdown'
  | 'createLogin'
  | 'login'
  | 'logout'
>

/** What sessions, their events, what wakes them and their questions answer. */
export type SessionService = Pick<
  Service,
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
>

/** Everything else that can be asked of a daemon. */
export type OperationService = Omit<
  Service,
  keyof DaemonService | keyof SessionService
>
