import type { Message, SealedCall } from 'hookline/lifecycle'
import type { JournalEntry, SessionInfo, TurnEnded } from '../ports/store.ts'

/** Where a session stands while its journal is read or written. */
export interface SessionState {
  readonly info: SessionInfo
  messages: Message[]
  turns: number
  readonly inputs: Map<string, TurnEnded>
  readonly openCalls: Map<string, SealedCall>
}

const maxInputs = 1_000

export function createSessionState(info: SessionInfo): SessionState {
  return {
    info,
    messages: [],
    turns: 0,
    inputs: new Map(),
    openCalls: new Map(),
  }
}

/** Takes the next entry of a session's journal into account. */
export function applyEntry(state: SessionState, entry: JournalEntry): void {
  switch (entry.type) {
    case 'turn-start':
      state.turns = entry.turn
      return
    case 'call-seal':
      state.openCalls.set(`${entry.turnId} ${entry.call.id}`, entry.call)
      return
    case 'call-end':
      state.openCalls.delete(`${entry.turnId} ${entry.ended.call.id}`)
      return
    case 'step-commit':
      state.messages.push(...entry.messages)
      return
    case 'compaction':
      state.messages.splice(0, entry.removedCount, entry.replacement)
      return
    case 'turn-end':
      if (entry.inputId !== undefined) rememberInput(state, entry)
      return
  }
}

function rememberInput({ inputs }: SessionState, entry: TurnEnded): void {
  // What comes again is the newest, and takes no further place.
  inputs.delete(entry.inputId ?? '')
  const [oldest] = inputs.keys()
  if (inputs.size >= maxInputs && oldest !== undefined) inputs.delete(oldest)
  inputs.set(entry.inputId ?? '', entry)
}
