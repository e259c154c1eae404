import { freezeDeep } from 'hookline'
import type {
  JournalEntry,
  OpenCall,
  SessionInfo,
  StepOpened,
  TurnEnded,
} from '../../ports/store.ts'
import {
  applyEntry,
  createSessionState,
  type SessionState,
} from '../apply-entry.ts'
import type { Payloads } from '../content/payloads.ts'
import type { Row } from '../database.ts'
import { readKeptEntry, readKeptSeal } from '../read-answered-by.ts'
import { StoreError } from '../store-error.ts'
import { contentRemoved } from './session-info.ts'

type OpenTurnState = NonNullable<SessionState['openTurn']>

/** The state of a session after some entry, so that none before is needed. */
interface Snapshot extends Omit<SessionState, 'info' | 'inputs' | 'openTurn'> {
  readonly seq: number
  readonly inputs: readonly (readonly [string, TurnEnded])[]
  readonly openTurn?: Omit<OpenTurnState, 'step' | 'calls'> & {
    readonly step?: StepOpened | undefined
    readonly calls: readonly (readonly [string, OpenCall])[]
  }
}

export interface Replayed {
  readonly state: SessionState
  readonly seq: number
  /** How many entries came after the snapshot. */
  readonly replayed: number
}

/** What a session comes to, by the rows of `readState`. */
export function replay(
  info: SessionInfo,
  rows: readonly Row[],
  payloads: Payloads,
): Replayed {
  const { id } = info
  let state = createSessionState(info)
  let seq = 0
  let replayed = 0
  for (const row of rows) {
    if (Number(row['is_entry']) === 0) {
      const text = String(row['payload'])
      // Only `snapshotText` writes there.
      const snapshot = payloads.read(text, ['snapshots', id]) as Snapshot
      seq = Number(row['seq'])
      if (snapshot.seq !== seq) throw brokenJournal(id)
      state = restored(info, freezeDeep(snapshot))
    } else {
      seq++
      replayed++
      if (Number(row['seq']) !== seq) throw brokenJournal(id)
      applyEntry(state, entryOf(row, id, payloads))
    }
  }
  return { state, seq, replayed }
}

export function snapshotText(
  { state, seq }: Replayed,
  payloads: Payloads,
): string {
  const { info, inputs, openTurn, ...rest } = state
  const snapshot: Snapshot = {
    ...rest,
    seq,
    inputs: [...inputs],
    ...(openTurn && {
      openTurn: { ...openTurn, calls: [...(openTurn.calls ?? [])] },
    }),
  }
  return payloads.write(snapshot, ['snapshots', info.id])
}

function restored(info: SessionInfo, snapshot: Snapshot): SessionState {
  const { seq: _, messages, inputs, openTurn, ...rest } = snapshot
  return {
    ...rest,
    info,
    messages: [...messages],
    inputs: new Map(inputs),
    openTurn: openTurn && {
      ...openTurn,
      step: openTurn.step,
      calls: new Map(
        openTurn.calls.map(([id, call]) => [id, readKeptCall(call)]),
      ),
    },
  }
}

function readKeptCall(call: OpenCall): OpenCall {
  const { sealed } = call
  return sealed ? { ...call, sealed: readKeptSeal(sealed) } : call
}

function entryOf(row: Row, sessionId: string, payloads: Payloads) {
  const { seq, payload } = row
  if (payload === null) throw contentRemoved(sessionId)
  const place = ['journal', sessionId, Number(seq)] as const
  // Only entries are written there.
  const entry = payloads.read(String(payload), place) as JournalEntry
  return freezeDeep(readKeptEntry(entry))
}

export function brokenJournal(sessionId: string): StoreError {
  const message = `The journal of session "${sessionId}" has a gap, so it cannot go on.`
  return new StoreError('corrupt', message)
}
