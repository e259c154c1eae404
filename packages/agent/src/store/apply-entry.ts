import { freezeDeep } from 'hookline'
import type { Message } from 'hookline/lifecycle'
import type {
  JournalEntry,
  OpenCall,
  SessionInfo,
  StepOpened,
  StoredSession,
  TurnEnded,
  TurnStarted,
} from '../ports/store.ts'
import { type TurnUse, useAt } from '../ports/turn-use.ts'

/** Where a session stands while its journal is read or written. */
export interface SessionState {
  readonly info: SessionInfo
  messages: Message[]
  turns: number
  isEnded: boolean
  readonly inputs: Map<string, TurnEnded>
  openTurn: OpenTurnState | undefined
}

interface OpenTurnState {
  start: TurnStarted
  commits: number
  step: StepOpened | undefined
  calls: Map<string, OpenCall> | undefined
  /** Absent: of a journal, or a snapshot, that does not tell. */
  used: TurnUse | undefined
}

const maxInputs = 1_000

export function createSessionState(info: SessionInfo): SessionState {
  return {
    info,
    messages: [],
    turns: 0,
    isEnded: false,
    inputs: new Map(),
    openTurn: undefined,
  }
}

/** The state as it is given out: later entries do not change it. */
export function storedSession(
  state: SessionState,
  title: string | null,
): StoredSession {
  const { info, turns, isEnded, messages, inputs, openTurn } = state
  return {
    info,
    title,
    turns,
    isEnded,
    messages: [...messages],
    inputs: new Map(inputs),
    openTurn: openTurn && {
      start: openTurn.start,
      commits: openTurn.commits,
      step: openTurn.step,
      calls: new Map(openTurn.calls),
      ...(openTurn.used && { used: openTurn.used }),
    },
  }
}

/** Takes the next entry of a session's journal into account. */
export function applyEntry(state: SessionState, entry: JournalEntry): void {
  joinTurn(state, entry)
  switch (entry.type) {
    case 'turn-start':
      state.turns = entry.turn
      state.openTurn = {
        start: entry,
        commits: 0,
        step: undefined,
        calls: undefined,
        used: undefined,
      }
      return
    case 'turn-resume':
      noteUse(state, entry.used)
      return
    case 'step-open':
      openStep(state, entry)
      noteUse(state, useAt(entry.step, entry.progress))
      return
    case 'call-wait':
      noteCall(state, entry.turnId, entry.question.call.id, { waiting: entry })
      return
    case 'call-seal':
      noteCall(state, entry.turnId, entry.call.id, { sealed: entry })
      return
    case 'call-end': {
      const { ended, spent } = entry
      noteCall(state, entry.turnId, ended.call.id, { ended })
      const before = state.openTurn?.used ?? unused
      if (spent) noteUse(state, { ...before, ...spent })
      return
    }
    case 'step-commit':
      for (const message of entry.messages) addMessage(state, message)
      openStep(state, undefined)
      if (entry.used) noteUse(state, entry.used)
      if (state.openTurn) state.openTurn.commits++
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
      state.openTurn = undefined
      if (entry.inputId !== undefined) rememberInput(state, entry)
      return
  }
}

/** Others have a say in it from here on. */
function joinTurn({ openTurn }: SessionState, entry: JournalEntry): void {
  if (openTurn === undefined || !('actor' in entry)) return
  const { actor } = entry
  if (actor !== undefined) openTurn.start = { ...openTurn.start, actor }
}

function openStep(
  { openTurn }: SessionState,
  step: StepOpened | undefined,
): void {
  if (openTurn === undefined) return
  openTurn.step = step
  openTurn.calls = undefined
}

const unused = { step: 0, continues: 0, budgetedSteps: 0 }

function noteUse({ openTurn }: SessionState, used: TurnUse): void {
  if (openTurn !== undefined) openTurn.used = used
}

function noteCall(
  { openTurn }: SessionState,
  turnId: string,
  callId: string,
  news: OpenCall,
): void {
  if (openTurn?.start.turnId !== turnId) return
  openTurn.calls ??= new Map()
  const known = openTurn.calls.get(callId)
  openTurn.calls.set(callId, known === undefined ? news : { ...known, ...news })
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
