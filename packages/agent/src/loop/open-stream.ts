import { holdingOf, joinHolding } from '../events/hold-back.ts'
import { ReplyStream } from '../events/reply-stream.ts'
import type { Turn } from './turn.ts'

/** A way out for a reply; what gates hold back stays in it. */
export function openStream({ agent, events, progress }: Turn): ReplyStream {
  const { reply, output } = holdingOf(agent.table)
  const holding = joinHolding(reply, output)
  const nextId = () => `block-${++progress.blocks}`
  return new ReplyStream(holding, nextId, (part) => events.emit(part))
}
