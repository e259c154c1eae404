import { askDaemon } from './ask-daemon.ts'
import type { BridgeOrder } from './bridge-order.ts'
import { type BridgeReply, refusal } from './bridge-reply.ts'
import { type InputStream, readInput } from './read-input.ts'

export interface AnswerOptions {
  readonly input: InputStream
  readonly env: Readonly<Record<string, string | undefined>>
  /** Hooks are about to run in this process, and not in that of a daemon. */
  readonly onHooks?: ((isContained: IsContained) => void) | undefined
}

/** Whether a hook left an error behind, which is attached to its run. */
export type IsContained = (error: unknown) => boolean

/** How long what was begun here may take to end when its time is up. */
const graceMs = 2_000

/** Answers in time, and never throws: what goes wrong refuses. */
export async function answerBridge(
  order: BridgeOrder,
  { input, env, onHooks }: AnswerOptions,
): Promise<BridgeReply> {
  const { event, timeoutMs } = order
  const stop = new AbortController()
  const { signal } = stop
  let stdin = ''
  const refuse = (error: unknown) => refusal(reasonOf(error), { event, stdin })
  const reading = readInput(input).then((text) => {
    stdin = text
    return text
  })
  // Whoever has failed before may need nothing of it.
  const read = reading.catch(() => {})
  const answer = async () => {
    const told = await askDaemon(order, reading, { env, signal })
    if (told !== undefined) return told
    const { askHere } = await import('./ask-here.ts')
    return await askHere(order, await reading, { env, signal, onHooks })
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
    if (event === undefined) await Promise.race([read, late])
    return refuse(error)
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}

/** What was thrown can be anything; even to look at it may throw. */
export function reasonOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return 'Something went wrong that cannot be told.'
  }
}
