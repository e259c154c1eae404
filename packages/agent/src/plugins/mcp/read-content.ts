import type { JsonValue, MediaBlock, ToolResult } from 'hookline/lifecycle'
import { measureJson } from './measure-json.ts'
import { type Redact, safeLine, safeText } from './redact.ts'
import { isObject } from './tool-listing.ts'

export interface ContentOptions {
  readonly maxBytes: number
  readonly redact: Redact
}

const maxBlocks = 256
const dataLimits = { maxDepth: 40, maxNodes: 10_000 }

/** What a tool gave, as a result of ours: bounded, and without credentials. */
export function readCallResult(
  given: unknown,
  options: ContentOptions,
): ToolResult {
  if (!isObject(given)) return refusal('The server gave no result.')
  const { content, structuredContent, isError } = given
  const data = readData(structuredContent, options)
  const blocks = Array.isArray(content) ? readBlocks(content, options) : []
  if (blocks.length === 0 && data !== undefined) {
    blocks.push(text(JSON.stringify(data)))
  }
  if (blocks.length === 0) blocks.push(text('(The tool gave nothing.)'))
  if (isError === true) return { content: blocks, isError, error: 'tool' }
  return {
    content: blocks,
    isError: false,
    ...(data !== undefined && { data }),
  }
}

/** Blocks that fit together; what does not is named in its place. */
export function readBlocks(
  given: readonly unknown[],
  { maxBytes, redact }: ContentOptions,
): MediaBlock[] {
  const blocks: MediaBlock[] = []
  let room = maxBytes
  for (const one of given.slice(0, maxBlocks)) {
    const block = readBlock(one, { maxBytes: room, redact })
    room -= sizeOf(block)
    blocks.push(block)
    if (room <= 0) break
  }
  const missing = given.length - blocks.length
  if (missing > 0) blocks.push(text(`[${missing} more parts are left out.]`))
  return blocks
}

function readBlock(given: unknown, options: ContentOptions): MediaBlock {
  if (!isObject(given)) return text('[A part that cannot be read.]')
  switch (given['type']) {
    case 'text':
      return readText(given['text'], options)
    case 'image':
    case 'audio':
      return readMedium(given, options)
    case 'resource':
      return readResource(given['resource'], options)
    case 'resource_link':
      return readLink(given, options)
    default:
      return text('[A part of a kind that is not known here.]')
  }
}

/** What a resource holds: text, or bytes. */
function readResource(given: unknown, options: ContentOptions): MediaBlock {
  if (!isObject(given)) return text('[A resource that cannot be read.]')
  const uri = safeLine(given['uri'], { ...options, maxPoints: 500 })
  if (typeof given['blob'] === 'string') {
    return readMedium({ ...given, data: given['blob'], name: uri }, options)
  }
  const { text: words } = readText(given['text'], options)
  return text(`[Resource ${uri}]\n${words}`)
}

function readLink(
  { uri, name, description }: Record<string, unknown>,
  options: ContentOptions,
) {
  const line = (one: unknown) => safeLine(one, { ...options, maxPoints: 500 })
  const words = [line(name), line(description)].filter((one) => one !== '')
  return text(`[Resource ${line(uri)}] ${words.join(': ')}`)
}

function readText(given: unknown, { maxBytes, redact }: ContentOptions) {
  const words = safeText(given, { redact, maxPoints: maxBytes })
  const bytes = Buffer.from(words)
  if (bytes.length <= maxBytes) return text(words)
  const room = new Uint8Array(Math.max(0, maxBytes - 100))
  // It writes whole code points only.
  const { read } = new TextEncoder().encodeInto(words, room)
  return text(`${words.slice(0, read)}\n[The rest is left out.]`)
}

const mediaType = /^[a-z]+\/[a-zA-Z0-9.+_-]{1,100}$/
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

function readMedium(
  { data, mimeType, name }: Record<string, unknown>,
  { maxBytes }: ContentOptions,
): MediaBlock {
  const type = typeof mimeType === 'string' ? mimeType : ''
  if (typeof data !== 'string' || !base64.test(data) || !mediaType.test(type)) {
    return text('[A medium that cannot be read.]')
  }
  if (data.length > maxBytes) {
    return text(`[A medium (${type}) that is too large.]`)
  }
  const source = { type: 'base64' as const, data }
  if (type.startsWith('image/'))
    return { type: 'image', mediaType: type, source }
  const file = { type: 'file' as const, mediaType: type, source }
  return typeof name === 'string' ? { ...file, name } : file
}

function readData(
  given: unknown,
  { maxBytes, redact }: ContentOptions,
): JsonValue | undefined {
  if (given === undefined) return undefined
  if (measureJson(given, { ...dataLimits, maxBytes: maxBytes / 2 })) {
    return undefined
  }
  // As text, so that credentials are found wherever they are.
  const written = redact(JSON.stringify(given))
  return JSON.parse(written)
}

function sizeOf(block: MediaBlock): number {
  if (block.type === 'text') return Buffer.byteLength(block.text)
  return block.source.type === 'base64' ? block.source.data.length : 0
}

function text(words: string) {
  return { type: 'text' as const, text: words }
}

function refusal(words: string): ToolResult {
  return { content: [text(words)], isError: true, error: 'tool' }
}
