import { answerBridge } from './answer-bridge.ts'
import { type BridgeOrder, readBridgeWords } from './bridge-order.ts'
import { type BridgeReply, refusal } from './bridge-reply.ts'

/**
 * Answers a product, and ends the process. It is waited for at every call of a
 * tool, so that it loads next to nothing; whatever happens, it refuses rather
 * than to end in a way that a product lets pass.
 */
export async function runBridge(words: readonly string[]): Promise<void> {
  const { env, stdin: input } = process
  process.on('uncaughtException', (error) => {
    void end(refusal(error.message), false)
  })
  let order: BridgeOrder
  try {
    order = readBridgeWords(words, env)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return await end(refusal(reason), false)
  }
  const reply = await answerBridge(order, { input, env })
  await end(reply, order.options.flag('json'))
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
