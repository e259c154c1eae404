import type {
  ContentBlock,
  JsonObject,
  JsonValue,
  MediaSource,
  ModelContent,
  ToolResult,
} from 'hookline/lifecycle'

/** What a text becomes; `key` is the name it has in data. */
export type ChangeText = (text: string, key?: string) => string

/** The same value where no text of it has changed. */
function mapJson(
  value: JsonValue,
  change: ChangeText,
  key?: string,
): JsonValue {
  if (typeof value === 'string') return change(value, key)
  if (typeof value === 'number') {
    const text = String(value)
    const made = change(text, key)
    return made === text ? value : made
  }
  if (typeof value !== 'object' || value === null) return value
  if (!isList(value)) return mapRecord(value, change)
  const items = value.map((item) => mapJson(item, change, key))
  return items.every((item, at) => item === value[at]) ? value : items
}

/** Names of entries are texts, too. */
export function mapRecord(value: JsonObject, change: ChangeText): JsonObject {
  let isChanged = false
  const made = new Map<string, JsonValue>()
  for (const [key, part] of Object.entries(value)) {
    const one = mapJson(part, change, key)
    const name = freeName(change(key), made)
    isChanged ||= one !== part || name !== key
    made.set(name, one)
  }
  return isChanged ? Object.fromEntries(made) : value
}

/** Two names can be the same when what was found in them is gone. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name
  for (let count = 2; taken.has(free); count++) free = `${name} (${count})`
  return free
}

function isList(
  value: JsonObject | readonly JsonValue[],
): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** Calls of tools stay as they are: they are judged at points of their own. */
export function mapBlocks<B extends ContentBlock>(
  blocks: readonly B[],
  change: ChangeText,
): readonly B[] {
  const made = blocks.map((block) => mapBlock(block, change))
  return made.every((block, at) => block === blocks[at]) ? blocks : made
}

function mapBlock<B extends ContentBlock>(block: B, change: ChangeText): B {
  if (block.type === 'text' || block.type === 'reasoning') {
    const text = change(block.text)
    if (text === block.text) return block
    // What a provider wants back, such as a signature, was about another text.
    const { providerData: _, ...rest } = block
    // It is the same kind of block with another text.
    return { ...rest, text } as unknown as B
  }
  if (block.type !== 'image' && block.type !== 'file') return block
  const source = mapSource(block.source, change)
  const name = block.type === 'file' && block.name
  const newName = typeof name === 'string' ? change(name) : name
  if (source === block.source && newName === name) return block
  return { ...block, source, ...(newName !== false && { name: newName }) }
}

/** What a model writes into the calls of tools, and nothing else. */
export function mapCalls(
  content: ModelContent,
  change: ChangeText,
): ModelContent {
  const made = content.map((block) => {
    if (block.type !== 'tool_call') return block
    const args = mapRecord(block.args, change)
    return args === block.args ? block : { ...block, args }
  })
  return made.every((block, at) => block === content[at]) ? content : made
}

function mapSource(source: MediaSource, change: ChangeText): MediaSource {
  if (source.type !== 'url') return source
  const url = change(source.url)
  return url === source.url ? source : { ...source, url }
}

/** What the model reads of a result, and the same for programs. */
export function mapResult(result: ToolResult, change: ChangeText): ToolResult {
  const content = mapBlocks(result.content, change)
  if (result.isError || result.data === undefined) {
    return content === result.content ? result : { ...result, content }
  }
  const data = mapJson(result.data, change)
  const isSame = content === result.content && data === result.data
  return isSame ? result : { ...result, content, data }
}
