import type { Message, ModelResponse, TextEvent } from 'hookline/lifecycle'
import type { GenerateOptions } from '../../ports/model.ts'
import { ModelFailure } from '../../ports/model-failure.ts'
import { failureOf } from './failure.ts'
import type { AiSdkReader, AiSdkStreamResult } from './model-shape.ts'
import { ResponseDraft } from './response-draft.ts'
import type { StreamPart } from './stream-part.ts'
import { untilAborted } from './until-aborted.ts'

interface Reading extends GenerateOptions {
  readonly messages: readonly Message[]
}

/**
 * Reads a stream to its end, telling the text on the way. However it ends, the
 * stream is given up, so that its connection is not left open.
 */
export async function readResponse(
  opening: PromiseLike<AiSdkStreamResult>,
  { messages, signal, onPart }: Reading,
): Promise<ModelResponse> {
  const reader = await openReader(opening, signal)
  const giveUp = () => void reader.cancel(signal.reason).catch(ignore)
  // A read that waits is ended by this, as if the stream had.
  signal.addEventListener('abort', giveUp, { once: true })
  const draft = new ResponseDraft(messages)
  const tell = async (events: readonly TextEvent[]) => {
    for (const event of events) {
      const waiting = onPart?.(event)
      if (waiting !== undefined) await untilAborted(waiting, signal)
    }
  }
  try {
    for (;;) {
      const events = await nextEvents(reader, draft, signal)
      if (events === undefined) break
      if (events.length > 0 && onPart !== undefined) await tell(events)
    }
    const response = draft.response()
    await tell(draft.close())
    return response
  } catch (thrown) {
    if (signal.aborted) throw failureOf(thrown, signal)
    if (thrown instanceof ModelFailure) await tell(draft.close())
    throw thrown
  } finally {
    signal.removeEventListener('abort', giveUp)
    giveUp()
  }
}

async function openReader(
  opening: PromiseLike<AiSdkStreamResult>,
  signal: AbortSignal,
): Promise<AiSdkReader> {
  try {
    const { stream } = await untilAborted(opening, signal)
    return stream.getReader()
  } catch (thrown) {
    // A model that does not heed the signal may still open its stream.
    const late = Promise.resolve(opening)
    late.then(({ stream }) => stream.getReader().cancel()).catch(ignore)
    throw failureOf(thrown, signal)
  }
}

/** What the next part gives to tell; nothing is not the same as the end. */
async function nextEvents(
  reader: AiSdkReader,
  draft: ResponseDraft,
  signal: AbortSignal,
): Promise<readonly TextEvent[] | undefined> {
  try {
    signal.throwIfAborted()
    const { done, value } = await reader.read()
    signal.throwIfAborted()
    // The specifications say so; a part that is none is a failure like others.
    return done ? undefined : draft.take(value as StreamPart)
  } catch (thrown) {
    throw failureOf(thrown, signal)
  }
}

function ignore(): void {}
