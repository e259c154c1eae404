import type { HandedTask, SessionInfo, SessionParent } from './store.ts'

/** Has tasks done behind the turns that hand them on. */
export interface BackgroundPort {
  /**
   * Keeps a task, and that its result is wanted: both, or neither. From then on
   * the session that handed it on gets the result once, whatever crashes.
   * Throws an `AgentError` where it may not be.
   */
  begin(task: BackgroundTask): Promise<void>
}

/** A session that is to be, and what is to be done in it. */
export interface BackgroundTask extends Omit<SessionInfo, 'parent'> {
  readonly parent: Omit<SessionParent, 'task'>
  /** The depth is that of the turn which hands it on. */
  readonly task: HandedTask
}
