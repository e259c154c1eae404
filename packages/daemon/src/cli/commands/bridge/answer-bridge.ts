import { askDaemon } from './ask-daemon.ts'
import type { BridgeOrder } from './bridge-order.ts'
import { type BridgeReply, refusal } from './bridge-reply.ts'
import { type InputStream, readInput } from './read-input.ts'

export interface AnswerOptions {
  readonly input: InputStream
  readonly env: Readonly<Record<string, string | undefined>>
}

/** How long what was begun here may take to end when its time is up. */
const graceMs = 2_000

/** Answers in time, and never throws: what goes wrong refuses. */
export async function answerBridge(
  order: BridgeOrder,
  { input, env }: AnswerOptions,
): Promise<BridgeReply> {
  const { event, timeoutMs } = order
  const stop = new AbortController()
  const { signal } = stop
  let stdin = ''
  const refuse = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    return refusal(reason, { event, stdin })
  }
  const reading = readInput(input).then((text) => {
    stdin = text
    return text
  })
  const answer = async () => {
    const told = await askDaemon(order, reading, { env, signal })
    if (told !== undefined) return told
    const { askHere } = await import('./ask-here.ts')
    return await askHere(order, await reading, { env, signal })
  }
  const timers: NodeJS.Timeout[] = []
  const late = new Promise<BridgeReply>((resolve) => {
    const reason = `No answer came within ${timeoutMs / 1_000} seconds; see what the daemon does with "hookline status".`
    const error = new Error(reason)
    timers.push(
      setTimeout(() => stop.abort(error), timeoutMs),
      setTimeout(() => resolve(refuse(error)), timeoutMs + graceMs),
    )
  })
  try {
    return await Promise.race([answer(), late])
  } catch (error) {
    // Only the input says whether something ends that is not to go on.
    await Promise.race([reading.catch(() => {}), late])
    return refuse(error)
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}
