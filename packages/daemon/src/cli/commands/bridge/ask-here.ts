import { setTimeout as wait } from 'node:timers/promises'
import { isContainedError } from '@hookline/agent'
import { createLog } from '../../../log/create-log.ts'
import { openOperations } from '../../../open-operations.ts'
import { owner } from '../../../protocol/caller.ts'
import { scriptedModels } from '../../connect/scripted-models.ts'
import type { AnswerOptions } from './answer-bridge.ts'
import type { Asking } from './ask-daemon.ts'
import type { BridgeOrder } from './bridge-order.ts'
import type { BridgeReply } from './bridge-reply.ts'

/** What was answered stands, whatever is still to be written down. */
const closeMs = 1_500

/** The same as a daemon would say, from hooks that are loaded for it. */
export async function askHere(
  { dialect, event, root, options }: BridgeOrder,
  stdin: string,
  { env, signal, onHooks }: Asking & Pick<AnswerOptions, 'onHooks'>,
): Promise<BridgeReply> {
  onHooks?.(isContainedError)
  const home = options.text('home')
  const models = await scriptedModels(env)
  const { operations, close } = await openOperations({
    root,
    env,
    // Products read what is on the standard error.
    log: createLog({ write: () => {} }),
    isOwnProcess: true,
    ...(home !== undefined && { home }),
    ...(models !== undefined && { models }),
  })
  try {
    const asked = { dialect, stdin, ...(event !== undefined && { event }) }
    const answer = operations.bridge(asked, { caller: owner, signal })
    return await Promise.race([answer, abortOf(signal)])
  } finally {
    await Promise.race([close().catch(() => {}), wait(closeMs)])
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    // It says that time is up, and is an error.
    const fail = () => reject(signal.reason as Error)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}
