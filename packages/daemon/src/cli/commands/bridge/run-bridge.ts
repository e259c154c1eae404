import { quietWarnings } from '../../quiet-warnings.ts'
import { answerBridge, type IsContained, reasonOf } from './answer-bridge.ts'
import { type BridgeOrder, readBridgeWords } from './bridge-order.ts'
import { type BridgeReply, refusal } from './bridge-reply.ts'

/**
 * Answers a product, and ends the process. It is waited for at every call of a
 * tool, so that it loads next to nothing; whatever happens, it refuses rather
 * than to end in a way that a product lets pass.
 */
export async function runBridge(words: readonly string[]): Promise<void> {
  const { env, stdin: input } = process
  quietWarnings()
  const onHooks = refuseStrays()
  let order: BridgeOrder
  try {
    order = readBridgeWords(words, env)
  } catch (error) {
    return await end(refusal(reasonOf(error)), false)
  }
  const reply = await answerBridge(order, { input, env, onHooks })
  await end(reply, order.options.flag('json'))
}

/** What nobody catches refuses; gives what is to be told when hooks run here. */
export function refuseStrays(): (isContained: IsContained) => void {
  let isContained: IsContained = () => false
  process.on('uncaughtException', (error: unknown) => {
    // A hook left it behind, whose answer stands; its run tells of it.
    if (isContained(error)) return
    void end(refusal(reasonOf(error)), false)
  })
  return (contained) => {
    isContained = contained
  }
}

async function end(reply: BridgeReply, isJson: boolean): Promise<void> {
  const { exitCode } = reply
  const stdout = isJson ? `${JSON.stringify(reply)}\n` : reply.stdout
  const stderr = isJson ? '' : reply.stderr
  for (const stream of [process.stdout, process.stderr]) {
    // Whoever does not read is not told; the code says the same.
    stream.on('error', () => process.exit(exitCode))
  }
  await write(process.stderr, stderr)
  await write(process.stdout, stdout)
  process.exit(exitCode)
}

/** To a product as it is; on a screen it is text, and nothing more. */
async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  const shown = stream.isTTY
    ? (await import('../../output/plain-text.ts')).plainText(text)
    : text
  await new Promise<void>((resolve) => stream.write(shown, () => resolve()))
}
