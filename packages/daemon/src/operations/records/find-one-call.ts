import { type FoundCall, findCalls, getSession } from '@hookline/agent/durable'
import { ProtocolError } from '../../protocol/errors.ts'
import type { InputOf } from '../../protocol/operations.ts'
import type { RunSource } from './open-run.ts'

type Wanted = InputOf<'whyCall'>

/** Ids of calls are the models': two sessions may have the same. */
export async function findOneCall(
  { store }: Pick<RunSource, 'store'>,
  { callId, sessionId, turnId, cwd }: Wanted,
): Promise<Pick<FoundCall, 'sessionId' | 'turnId'>> {
  if (sessionId !== undefined && turnId !== undefined) {
    return { sessionId, turnId }
  }
  const [first, ...others] = await findCalls(store.parts, {
    callId,
    ...(sessionId !== undefined && { sessionId }),
    ...(turnId !== undefined && { turnId }),
  })
  if (first === undefined) throw noCall({ callId })
  if (others.length === 0) return first
  const found = await withFolders(store, [first, ...others])
  const here = cwd === undefined ? [] : inFolder(store, found, cwd)
  const [only, ...more] = here
  if (only !== undefined && more.length === 0) return only
  throw severalCalls(callId, here.length > 0 ? here : found)
}

export function noCall({ callId }: Pick<Wanted, 'callId'>): ProtocolError {
  const message = `There is no call "${callId}" in the newest turns; name its session and turn if it is older.`
  return new ProtocolError('not-found', message)
}

interface PlacedCall extends FoundCall {
  /** Absent where its session is kept no longer. */
  readonly folder: string | undefined
}

function withFolders(
  { parts }: RunSource['store'],
  calls: readonly FoundCall[],
): Promise<readonly PlacedCall[]> {
  return Promise.all(
    calls.map(async (call) => {
      const session = await getSession(parts, call.sessionId)
      return { ...call, folder: session?.cwd }
    }),
  )
}

function inFolder(
  { parts }: RunSource['store'],
  calls: readonly PlacedCall[],
  cwd: string,
): readonly PlacedCall[] {
  // As the table has it.
  const wanted = parts.redactor.text(cwd)
  return calls.filter(({ folder }) => folder === wanted)
}

function severalCalls(
  callId: string,
  calls: readonly PlacedCall[],
): ProtocolError {
  const message = `${calls.length} calls have the id "${callId}"; say in which session and turn it is.`
  const problems = calls.map(
    ({ sessionId, turnId, tool, folder, startedAt }) => ({
      path: `${sessionId}/${turnId}`,
      message: `"${tool}" in "${folder ?? 'a folder that is not known'}", ${new Date(startedAt).toISOString()}`,
    }),
  )
  return new ProtocolError('conflict', message, { problems })
}
