import {
  AgentError,
  type BackgroundPort,
  type BackgroundTask,
} from '@hookline/agent'

type Begin = BackgroundPort['begin']

/** Tasks that nobody waits for, for whoever has sessions go on. */
export class BackgroundTasks implements BackgroundPort {
  #begin: Begin | undefined

  /** From now on somebody does; call the result when they stop. */
  attend(begin: Begin): () => void {
    this.#begin = begin
    return () => {
      if (this.#begin === begin) this.#begin = undefined
    }
  }

  async begin(task: BackgroundTask): Promise<void> {
    if (this.#begin !== undefined) return await this.#begin(task)
    const message = 'Nobody has sessions go on here, so nothing is handed on.'
    throw new AgentError('runtime-closed', message)
  }
}
