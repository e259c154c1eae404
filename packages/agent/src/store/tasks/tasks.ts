import type { JsonObject } from 'hookline/lifecycle'
import type { SessionInfo, SessionParent } from '../../ports/store.ts'

/** Work that sessions do for others which do not wait for it. */
export interface Tasks {
  /**
   * Makes the session of a task, leaves it what it is to do, and has its end
   * wake whoever handed it on: all of that, or nothing. Throws an `AgentError`
   * with `limit-reached` where there are too many.
   */
  begin(task: NewTask): Promise<void>
  /**
   * Those whose result has not been told, the oldest first; of a long list,
   * what comes after so many.
   */
  open(limit: number, skip?: number): Promise<readonly OpenTask[]>
  /** One of them, as it is now. */
  get(id: string): Promise<OpenTask | undefined>
  /** Those that were deleted before their result was told. */
  lost(limit: number): Promise<readonly string[]>
  /** The result of one has been told, or nobody is left to tell. */
  told(id: string): Promise<void>
}

export interface NewTask {
  readonly session: SessionInfo & { readonly parent: TaskParent }
  /** What is left in its inbox, as `send`. */
  readonly body: JsonObject
  /** What whoever handed it on is told beside the result. */
  readonly prompt: string
  readonly by: string
}

type TaskParent = SessionParent & Required<Pick<SessionParent, 'task'>>

export interface OpenTask {
  /** Of its session. */
  readonly id: string
  readonly agent: string
  readonly cwd: string
  readonly parent: TaskParent
  /** Whoever handed it on is over for good. */
  readonly isOrphan: boolean
  /** Its session is over for good. */
  readonly isEnded: boolean
  /** Nothing of it runs or waits any more, nor of what it has handed on. */
  readonly isOver: boolean
}

/** The event that tells the result of a task. */
export const taskEvent = (id: string) => `${taskEventPrefix}${id}`

/** Only results of tasks are told by such names. */
export const taskEventPrefix = 'delegated.'
