import type { PermissionQuestion } from 'hookline/lifecycle'
import type { OpenTurn } from '../ports/store.ts'

/** A turn that began in a process which stopped before it had ended. */
export interface InterruptedTurn {
  readonly turnId: string
  /** The sender's own id of the input. */
  readonly inputId?: string
  /** What people were being asked, and may have answered since. */
  readonly questions: readonly PermissionQuestion[]
}

export function interruptedTurn({ start, calls }: OpenTurn): InterruptedTurn {
  const { turnId, inputId } = start
  const questions = [...calls.values()].flatMap(
    ({ waiting, sealed, ended }) => {
      const isOpen = sealed === undefined && ended === undefined
      return waiting !== undefined && isOpen ? [waiting.question] : []
    },
  )
  return { turnId, questions, ...(inputId !== undefined && { inputId }) }
}

/** Whether the same input has come again. */
export function isInputOf({ start }: OpenTurn, id: string | undefined) {
  return id !== undefined && start.inputId === id
}
