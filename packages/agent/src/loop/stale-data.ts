import { freezeDeep } from 'hookline'
import type {
  JsonObject,
  JsonValue,
  Message,
  ModelRequest,
} from 'hookline/lifecycle'
import { isSameData } from '../data/same-data.ts'

type AnyBlock = Message['content'][number]

/**
 * Blocks whose words hooks have changed keep nothing that the provider gave
 * with them: it stands for the words of then, and the model would read those.
 * What a hook has written there itself is its own.
 */
export function withoutStaleData<B extends AnyBlock>(
  blocks: readonly B[],
  before: readonly AnyBlock[],
): readonly B[] {
  return clean(blocks, editOf(before, blocks))
}

/** The same of a request, whose messages are of many turns. */
export function withoutStaleMessages(
  request: ModelRequest,
  before: ModelRequest,
): ModelRequest {
  if (request.messages === before.messages) return request
  const edit = editOf(blocksOf(before), blocksOf(request))
  const messages = request.messages.map((message) => {
    const given: readonly AnyBlock[] = message.content
    const content = clean(given, edit)
    if (content === given) return message
    // Its blocks are of the types that they were of.
    return { ...message, content } as Message
  })
  const isSame = messages.every((one, at) => one === request.messages[at])
  return isSame ? request : freezeDeep({ ...request, messages })
}

function blocksOf({ messages }: ModelRequest): readonly AnyBlock[] {
  return messages.flatMap((one): readonly AnyBlock[] => one.content)
}

/** What hooks have made of blocks, as far as it matters to their data. */
interface Edit {
  /** The data of words that are no longer there. */
  readonly stale: readonly JsonValue[]
  /** All data, by the words that it was given with. */
  readonly given: ReadonlyMap<string, readonly JsonValue[]>
}

function editOf(before: readonly AnyBlock[], after: readonly AnyBlock[]): Edit {
  const left = new Set(after.map(wordsOf))
  const stale: JsonValue[] = []
  const given = new Map<string, JsonValue[]>()
  for (const block of before) {
    const words = wordsOf(block)
    const { providerData: data } = block
    if (words === undefined || data === undefined) continue
    if (!left.has(words)) stale.push(data)
    const known = given.get(words)
    if (known === undefined) given.set(words, [data])
    else known.push(data)
  }
  return { stale, given }
}

function wordsOf(block: AnyBlock): string | undefined {
  return 'text' in block ? `${block.type} ${block.text}` : undefined
}

function clean<B extends AnyBlock>(
  blocks: readonly B[],
  { stale, given }: Edit,
): readonly B[] {
  if (stale.length === 0) return blocks
  const made = blocks.map((block) => {
    const words = wordsOf(block)
    const { providerData: data, ...rest } = block
    if (words === undefined || data === undefined) return block
    const left = fresh(data, { stale, own: given.get(words) ?? [] }, 0)
    if (left === data) return block
    const kept = left === undefined ? rest : { ...rest, providerData: left }
    // It is the same block, without a part that none has to have.
    return freezeDeep(kept as unknown as B)
  })
  return made.every((block, at) => block === blocks[at]) ? blocks : made
}

interface Known {
  readonly stale: readonly JsonValue[]
  /** What the words had before. */
  readonly own: readonly JsonValue[]
}

// Data is told apart by its provider, and by what that one has given: what
// hooks have added to it stays.
const deepest = 2

function fresh(
  data: JsonValue,
  { stale, own }: Known,
  level: number,
): JsonValue | undefined {
  if (stale.length === 0 || own.some((one) => isSameData(one, data)))
    return data
  if (stale.some((one) => isSameData(one, data))) return undefined
  if (level === deepest || !isObject(data)) return data
  const left: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(data)) {
    const parts = { stale: partsOf(stale, key), own: partsOf(own, key) }
    const part = fresh(value, parts, level + 1)
    if (part !== undefined) left[key] = part
  }
  if (Object.keys(left).length === 0) return undefined
  return isSameData(left, data) ? data : left
}

function partsOf(all: readonly JsonValue[], key: string): readonly JsonValue[] {
  return all.flatMap((one) => {
    const part = isObject(one) ? one[key] : undefined
    return part === undefined ? [] : [part]
  })
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
