import {
  joinActors,
  readStoredSession,
  type Store,
} from '@hookline/agent/durable'
import type { Actor, JsonObject, Message, Reply } from 'hookline/lifecycle'

/** What a task has come to. */
export interface TaskOutcome {
  readonly status: string
  readonly reply: Reply
  /** Why it did not succeed. */
  readonly reason?: string
  /** How often hooks have kept it going. */
  readonly continues: number
  /** All who had a say in it. */
  readonly actor?: Actor | undefined
}

const maxReplyPoints = 100_000

/** The input by which hooks keep a task going for the nth time. */
export const continueId = (taskId: string, count: number) =>
  `${taskId}.again-${count}`

/** As the journal of its session has it, which only its end changes. */
export async function taskOutcome(
  { parts }: Store,
  taskId: string,
): Promise<TaskOutcome> {
  const stored = await readStoredSession(parts, taskId)
  const inputs = [...(stored?.inputs ?? [])]
  const continues = inputs.filter(([id]) =>
    id.startsWith(continueId(taskId, 0).slice(0, -1)),
  ).length
  const [, last] = inputs.at(-1) ?? []
  if (last === undefined) {
    const reason = 'It was cancelled before it began.'
    return { status: 'cancelled', reply: [], reason, continues: 0 }
  }
  const { status, summary } = last
  const actor = joinActors(...inputs.map(([, ended]) => ended.actor))
  const reason = last.reason ?? summary.errorPreview
  const isAnswered = status === 'succeeded' || status === 'withheld'
  return {
    status,
    reply: isAnswered ? replyIn(stored?.messages ?? []) : [],
    continues,
    actor,
    ...(reason !== undefined && { reason }),
  }
}

function replyIn(messages: readonly Message[]): Reply {
  const last = messages.findLast(({ role }) => role === 'assistant')
  return (last?.content ?? []).flatMap((block) =>
    block.type === 'text' ? [{ type: 'text' as const, text: block.text }] : [],
  )
}

/** As whoever handed it on is told it. */
export function resultData(
  { id, agent }: { readonly id: string; readonly agent: string },
  { status, reply, reason }: TaskOutcome,
): JsonObject {
  const texts = reply.flatMap((block) =>
    block.type === 'text' ? [block.text] : [],
  )
  const points = Array.from(texts.join('\n'))
  const isCut = points.length > maxReplyPoints
  const text = points.slice(0, maxReplyPoints).join('')
  return {
    task: id,
    agent,
    status,
    ...(text !== '' && { reply: text }),
    ...(isCut && {
      note: `The reply was cut at ${maxReplyPoints} characters.`,
    }),
    ...(reason !== undefined && { reason }),
  }
}
