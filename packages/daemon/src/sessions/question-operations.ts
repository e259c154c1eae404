import { getSession } from '@hookline/agent/durable'
import type { JsonObject } from 'hookline/lifecycle'
import { readQuestions } from '../protocol/schemas/questions.ts'
import type { SessionService } from '../service/service-parts.ts'
import { actorOf, nameOf } from './caller-counts.ts'
import { type HandOverDesk, handOver } from './hand-over.ts'
import type { HostParts } from './host-parts.ts'
import { remoteQuestions } from './remote-questions.ts'

type Receipt = Awaited<
  ReturnType<Pick<SessionService, 'answerQuestions'>['answerQuestions']>
>

/** Any daemon shows what is asked, and takes the answers. */
export function questionOperations(
  desk: HandOverDesk,
): Pick<SessionService, 'listQuestions' | 'answerQuestions'> {
  const { parts } = desk
  const { questions, store } = parts
  return {
    async listQuestions({ sessionId }) {
      const here = questions.pending(sessionId)
      const { isShared } = parts.settings
      const others = isShared ? await remoteQuestions(parts, sessionId) : []
      const items = [...here, ...others].flatMap((pending) => {
        const asked = readQuestions(pending.questions)
        return asked === undefined ? [] : [{ ...pending, questions: asked }]
      })
      return { items }
    },
    async answerQuestions({ sessionId, callId, answers, reason }, context) {
      const { caller } = context
      const place = { sessionId, callId }
      const by = actorOf(caller)
      const isHere = questions
        .pending(sessionId)
        .some((pending) => pending.callId === callId)
      const session = isHere
        ? undefined
        : await getSession(store.parts, sessionId)
      if (session !== undefined && session.endReason === null) {
        // Plain data: its schema has read it.
        const body = { callId, answers, reason, by } as unknown as JsonObject
        const plain = JSON.parse(JSON.stringify(body)) as JsonObject
        const message = { sessionId, kind: 'answer' as const, body: plain }
        const became = await handOver(desk, message, context)
        // What the daemon that has the session said, as the schema has it.
        const receipt = (became ?? { type: 'late' }) as unknown as Receipt
        if (receipt.type === 'accepted') tellAnswered(parts, place, caller)
        return receipt
      }
      if (answers !== undefined) {
        const receipt = questions.answer(place, answers, { by })
        if (receipt.type === 'accepted') tellAnswered(parts, place, caller)
        return receipt
      }
      const wasThere = questions.dismiss(place, reason, { by })
      if (wasThere) tellAnswered(parts, place, caller)
      return { type: wasThere ? 'accepted' : 'late' }
    },
  }
}

function tellAnswered(
  { tell }: HostParts,
  {
    sessionId,
    callId,
  }: { readonly sessionId: string; readonly callId: string },
  caller: Parameters<typeof nameOf>[0],
): void {
  tell('questions-answered', { callId, by: nameOf(caller) }, sessionId)
}
