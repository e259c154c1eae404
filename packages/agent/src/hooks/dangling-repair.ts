import { defineHook, proceed, transform } from 'hookline'
import {
  llmPreCall,
  type Message,
  notice,
  type ToolCallBlock,
  type ToolResultBlock,
} from 'hookline/lifecycle'
import { defineHooks, described, flag, object, text } from '../define-hooks.ts'

export interface DanglingRepairOptions {
  /** What the model is told where the result of a call is missing. */
  readonly missing?: string
  /** Whether users are told that something was repaired. */
  readonly tells?: boolean
}

const options = object<DanglingRepairOptions>(
  {
    missing: described(
      text({ maxLength: 1_000 }),
      'What the model is told where the result of a call is missing.',
    ),
    tells: described(
      flag,
      'Whether users are told that something was repaired; default: true.',
    ),
  },
  [],
)

const unknown =
  'What came of this call is not known: its result was lost. It may or may not have had an effect; look before you repeat it.'

/** Gives every call its result, and every result its call, before a model sees them. */
export const danglingRepair = defineHooks<DanglingRepairOptions>({
  name: 'dangling-repair',
  description: 'Mends conversations with calls and results that do not pair.',
  options,
  create({ missing = unknown, tells = true }, { name }) {
    const hook = defineHook({
      name: `${name}:pairs`,
      on: llmPreCall,
      handler: { version: '1' },
      // After other hooks that cut conversations, before the gates.
      priority: 95,
      writes: true,
      capabilities: ['notice'],
      run({ request }, { contribute, diagnose }) {
        if (arePaired(request.messages)) return proceed
        const { messages, added, cut, moved } = pair(request.messages, missing)
        const message = `The conversation had calls and results that do not pair: ${added} results were added, ${moved} moved, ${cut} cut.`
        diagnose('dangling-calls', message)
        if (tells) contribute(notice({ level: 'warning', message }))
        return transform({ ...request, messages })
      },
    })
    return [hook]
  },
})

/** The usual case, at the price of one look at each message. */
function arePaired(messages: readonly Message[]): boolean {
  return messages.every((message, at) => {
    const next = messages[at + 1]
    if (message.role === 'assistant') {
      const ids = callsIn(message).map(({ id }) => id)
      if (ids.length === 0) return next?.role !== 'tool'
      return next?.role === 'tool' && haveResults(ids, next.content)
    }
    const isCall = messages[at - 1]?.role === 'assistant'
    return message.role !== 'tool' || isCall
  })
}

function haveResults(
  ids: readonly string[],
  results: readonly ToolResultBlock[],
): boolean {
  const isOnce = new Set(ids).size === ids.length
  const isSame = ids.every((id, at) => results[at]?.callId === id)
  return isOnce && isSame && results.length === ids.length
}

interface Paired {
  readonly messages: readonly Message[]
  readonly added: number
  readonly moved: number
  readonly cut: number
}

/**
 * Puts the results of each message right after it, in the order of its calls.
 * A result belongs to the latest call before it that has its id and none yet.
 */
function pair(messages: readonly Message[], missing: string): Paired {
  const results = messages.map(() => new Map<ToolCallBlock, ToolResultBlock>())
  const waiting = new Map<string, { call: ToolCallBlock; at: number }>()
  let moved = 0
  let cut = 0
  let changed = 0
  const kept = messages.map((message, at): Message | undefined => {
    if (message.role === 'tool') {
      for (const result of message.content) {
        const asked = waiting.get(result.callId)
        waiting.delete(result.callId)
        if (asked === undefined) cut++
        else {
          results[asked.at]?.set(asked.call, result)
          if (asked.at !== at - 1) moved++
        }
      }
      return undefined
    }
    if (message.role !== 'assistant') return message
    const ids = new Set<string>()
    const content = message.content.filter((block) => {
      if (block.type !== 'tool_call' || block.providerExecuted) return true
      // Two calls of one message with one id cannot both have a result.
      if (ids.has(block.id)) {
        changed++
        return false
      }
      ids.add(block.id)
      waiting.set(block.id, { call: block, at })
      return true
    })
    return content.length === message.content.length
      ? message
      : { ...message, content }
  })
  let added = 0
  const mended = kept.flatMap((message, at): Message[] => {
    if (message === undefined) return []
    if (message.role !== 'assistant') return [message]
    const calls = callsIn(message)
    if (calls.length === 0) return [message]
    const content = calls.map((call) => {
      const result = results[at]?.get(call)
      if (result === undefined) added++
      return result ?? lost(call, missing)
    })
    return [message, { role: 'tool', content }]
  })
  return { messages: mended, added, moved, cut: cut + changed }
}

function callsIn({
  content,
}: Extract<Message, { role: 'assistant' }>): readonly ToolCallBlock[] {
  return content.filter(
    (block) => block.type === 'tool_call' && !block.providerExecuted,
  ) as readonly ToolCallBlock[] // the filter leaves nothing else
}

function lost({ id, tool }: ToolCallBlock, missing: string): ToolResultBlock {
  return {
    type: 'tool_result',
    callId: id,
    tool,
    content: [{ type: 'text', text: missing }],
    isError: true,
  }
}
