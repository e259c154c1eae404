import { useEffect, useState } from 'react'
import { useDaemon } from '../../../data/daemon-context.ts'
import { followSession } from '../../../data/live/follow-session.ts'
import type { StreamItem } from '../../../data/protocol.ts'
import { foldTold, type TurnPlace } from './fold-told.ts'
import { nothingTold, type ToldTurn } from './told-turn.ts'

/** Often enough to follow by eye, and seldom enough to draw a long turn. */
const gatherMs = 150
const maxWaiting = 500

/** A turn as its events tell it, from its first one until its end. */
export function useTold(
  { sessionId, turnId }: TurnPlace,
  /** After which they are; undefined: they are not kept, or not known yet. */
  events: string | undefined,
): ToldTurn {
  const daemon = useDaemon()
  const [told, setTold] = useState<ToldTurn>(nothingTold)
  useEffect(() => {
    if (events === undefined) return
    const place = { sessionId, turnId }
    let waiting: StreamItem[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = nothingTold
    const draw = () => {
      clearTimeout(timer)
      timer = undefined
      for (const item of waiting) last = foldTold(last, item, place)
      waiting = []
      setTold(last)
      if (last.end !== undefined) stop()
    }
    const stop = followSession(daemon, {
      sessionId,
      after: events,
      onItem: (item) => {
        waiting.push(item)
        if (waiting.length >= maxWaiting) draw()
        else timer ??= setTimeout(draw, gatherMs)
      },
      // What is recorded is still there.
      onRefused: () => setTold({ ...last, isCut: true }),
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [daemon, sessionId, turnId, events])
  return told
}
