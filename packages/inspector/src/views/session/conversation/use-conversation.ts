import { useEffect, useState } from 'react'
import { useDaemon } from '../../../data/daemon-context.ts'
import { followSession } from '../../../data/live/follow-session.ts'
import type { StreamItem } from '../../../data/protocol.ts'
import { type Conversation, emptyConversation } from './conversation.ts'
import { foldItem } from './fold-item.ts'

export interface ConversationState {
  readonly conversation: Conversation
  readonly error: Error | undefined
}

const maxWaiting = 1_000

const nothing = { conversation: emptyConversation, error: undefined }

/** A session from its first event on, drawn at most once a frame. */
export function useConversation(sessionId: string): ConversationState {
  const daemon = useDaemon()
  const [state, setState] = useState<ConversationState>(nothing)
  /** Begins anew with each: what was left out is in the log. */
  const [reading, setReading] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: see `reading`.
  useEffect(() => {
    let waiting: StreamItem[] = []
    let frame: number | undefined
    let conversation = emptyConversation
    const draw = () => {
      frame = undefined
      conversation = waiting.reduce(foldItem, conversation)
      waiting = []
      setState({ conversation, error: undefined })
    }
    const stop = followSession(daemon, {
      sessionId,
      onItem: (item) => {
        if (item.type === 'lagged') setReading((last) => last + 1)
        waiting.push(item)
        // A page that is out of sight has no frames.
        if (waiting.length >= maxWaiting) draw()
        else frame ??= requestAnimationFrame(draw)
      },
      onRefused: (error) => setState((last) => ({ ...last, error })),
    })
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame)
      stop()
    }
  }, [daemon, sessionId, reading])
  return state
}
