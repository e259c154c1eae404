import { freezeDeep } from 'hookline'
import type { Message, SealedCall } from 'hookline/lifecycle'
import type {
  CallEnded,
  JournalEntry,
  SessionInfo,
  TurnEnded,
} from '../ports/store.ts'

/** Where a session stands while its journal is read or written. */
export interface SessionState {
  readonly info: SessionInfo
  messages: Message[]
  turns: number
  isEnded: boolean
  readonly inputs: Map<string, TurnEnded>
  readonly openCalls: OpenCall[]
}

/** A call of which nobody knows how it ended. */
interface OpenCall {
  readonly turnId: string
  readonly call: SealedCall
}

const maxInputs = 1_000

export function createSessionState(info: SessionInfo): SessionState {
  return {
    info,
    messages: [],
    turns: 0,
    isEnded: false,
    inputs: new Map(),
    openCalls: [],
  }
}

/** Takes the next entry of a session's journal into account. */
export function applyEntry(state: SessionState, entry: JournalEntry): void {
  switch (entry.type) {
    case 'turn-start':
      state.turns = entry.turn
      return
    case 'call-seal':
      state.openCalls.push(entry)
      return
    case 'call-end':
      closeCall(state, entry)
      return
    case 'step-commit':
      for (const message of entry.messages) addMessage(state, message)
      return
    case 'compaction': {
      const left = state.messages.slice(entry.removedCount)
      state.messages = [entry.replacement]
      for (const message of left) addMessage(state, message)
      return
    }
    case 'session-end':
      state.isEnded = true
      return
    case 'turn-end':
      if (entry.inputId !== undefined) rememberInput(state, entry)
      return
  }
}

function closeCall(state: SessionState, { turnId, ended }: CallEnded): void {
  const at = state.openCalls.findLastIndex(
    (open) => open.turnId === turnId && open.call.id === ended.call.id,
  )
  if (at !== -1) state.openCalls.splice(at, 1)
}

/** Two user messages in a row are one. */
function addMessage({ messages }: SessionState, message: Message): void {
  const last = messages.at(-1)
  if (last?.role !== 'user' || message.role !== 'user') {
    messages.push(message)
    return
  }
  const content = [...last.content, ...message.content]
  messages[messages.length - 1] = freezeDeep({ role: 'user', content })
}

function rememberInput({ inputs }: SessionState, entry: TurnEnded): void {
  // What comes again is the newest, and takes no further place.
  inputs.delete(entry.inputId ?? '')
  const [oldest] = inputs.keys()
  if (inputs.size >= maxInputs && oldest !== undefined) inputs.delete(oldest)
  inputs.set(entry.inputId ?? '', entry)
}
