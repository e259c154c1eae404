import type { Reply } from 'hookline/lifecycle'
import type { CoreEnd } from '../ports/core.ts'
import { marked } from '../prompt/marked.ts'
import { leaveStep } from './leave-calls.ts'
import { textOf } from './spoken.ts'
import type { Turn } from './turn.ts'

const maxRetries = 2

/**
 * A reply that is no value of the schema goes back to the model, unless what
 * becomes of its calls ends the turn; `none`: there is nothing to go back.
 */
export async function wantsBetterOutput(
  turn: Turn,
  reply: Reply,
): Promise<CoreEnd | 'none' | undefined> {
  const { output, progress, conversation } = turn
  if (output === undefined || progress.outputRetries >= maxRetries) {
    return 'none'
  }
  const { problem } = await readOutput(turn, reply)
  if (problem === undefined) return 'none'
  await progress.stream?.close()
  const left = await leaveStep(turn)
  if (left !== undefined) return left
  progress.outputRetries++
  const feedback = `The reply is not what was asked for: ${problem} Reply again with the JSON value alone.`
  conversation.addUser([
    marked('feedback', { from: 'output-schema' }, feedback),
  ])
  return undefined
}

/** A turn whose reply is no value of the schema has failed. */
export async function checkOutput(turn: Turn, end: CoreEnd): Promise<CoreEnd> {
  if (end.status !== 'succeeded') return end
  const { problem } = await readOutput(turn, end.reply)
  if (problem === undefined) return end
  const message = `The reply is not what was asked for: ${problem}`
  return {
    ...end,
    status: 'failed',
    // No gate has looked at it.
    reply: [],
    error: { code: 'invalid-output', message },
  }
}

/** The value that a reply stands for, or what is wrong with it. */
export async function readOutput(
  { output }: Turn,
  reply: Reply,
): Promise<{ value?: unknown; problem?: string }> {
  if (output === undefined) return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(withoutFence(textOf(reply)))
  } catch {
    return { problem: 'It is no JSON.' }
  }
  return output.check(parsed)
}

/** Models like to put JSON into a fenced block. */
function withoutFence(text: string): string {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)
  return fenced?.[1] ?? text
}
