import { freezeDeep } from 'hookline'
import type { Message, ModelRequest } from 'hookline/lifecycle'
import { isSameData } from '../data/same-data.ts'

type AnyBlock = Message['content'][number]

/**
 * Blocks whose words hooks have changed keep nothing for the provider: what it
 * wants back stands for the words that it gave, and the model would read those.
 */
export function withoutStaleData<B extends AnyBlock>(
  blocks: readonly B[],
  before: readonly AnyBlock[],
): readonly B[] {
  const known = new Set<AnyBlock>(before)
  const made = blocks.map((block) => {
    if (block.type !== 'text' && block.type !== 'reasoning') return block
    if (block.providerData === undefined || known.has(block)) return block
    if (before.some((one) => isSameData(one, block))) return block
    const { providerData: _, ...rest } = block
    // It is the same block, without a part that none has to have.
    return freezeDeep(rest as unknown as B)
  })
  return made.every((block, at) => block === blocks[at]) ? blocks : made
}

/** The same of a request, whose messages are of many turns. */
export function withoutStaleMessages(
  request: ModelRequest,
  before: ModelRequest,
): ModelRequest {
  if (request.messages === before.messages) return request
  const blocks = before.messages.flatMap((one): readonly AnyBlock[] => {
    return one.content
  })
  const messages = request.messages.map((message) => {
    const given: readonly AnyBlock[] = message.content
    const content = withoutStaleData(given, blocks)
    if (content === given) return message
    // Its blocks are of the types that they were of.
    return { ...message, content } as Message
  })
  const isSame = messages.every((one, at) => one === request.messages[at])
  return isSame ? request : freezeDeep({ ...request, messages })
}
