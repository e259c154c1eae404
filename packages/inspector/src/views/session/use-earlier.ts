import { useState } from 'react'
import { useDaemon } from '../../data/daemon-context.ts'
import type { OutputOf } from '../../data/protocol.ts'
import type { Turn } from './conversation/conversation.ts'
import {
  messagesBefore,
  type PlainMessage,
} from './conversation/messages-before.ts'

type Messages = OutputOf<'listMessages'>['messages']

interface Read {
  readonly messages: Messages
  /** The number of the first of them. */
  readonly from: number
}

interface Earlier {
  readonly messages: readonly PlainMessage[]
  readonly hasMore: boolean
  readonly isBusy: boolean
  readonly isAsked: boolean
  readonly error: Error | undefined
  readonly more: () => void
}

const pageLength = 100
/** So many are looked at for one press of the button. */
const maxPages = 10

/** The messages before a turn, read backwards, as far as somebody wants. */
export function useEarlier(
  sessionId: string,
  first: Turn | undefined,
): Earlier {
  const { client } = useDaemon()
  const [read, setRead] = useState<Read>()
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const messages = messagesBefore(read ?? { messages: [], from: 0 }, first)
  const readOn = async () => {
    let known = read
    // What is known of the turns already is passed over.
    for (let page = 0; page < maxPages && known?.from !== 0; page++) {
      const before = known === undefined ? {} : { before: known.from }
      const input = { sessionId, limit: pageLength, ...before }
      const next = await client.listMessages(input)
      known = {
        messages: [...next.messages, ...(known?.messages ?? [])],
        from: next.from,
      }
      if (messagesBefore(known, first).length > messages.length) break
    }
    setRead(known)
  }
  const more = () => {
    setBusy(true)
    setError(undefined)
    readOn()
      .catch((reason: unknown) => {
        setError(reason instanceof Error ? reason : new Error(String(reason)))
      })
      .finally(() => setBusy(false))
  }
  const hasMore = read === undefined || read.from > 0
  return { messages, hasMore, isBusy, isAsked: read !== undefined, error, more }
}
