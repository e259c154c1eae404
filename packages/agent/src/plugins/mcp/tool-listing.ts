import type { JsonObject } from 'hookline/lifecycle'
import { checkSchema } from './check-schema.ts'
import type { RpcRequest } from './client-package.ts'
import { fingerprint } from './fingerprint.ts'
import { measureJson } from './measure-json.ts'
import { type Redact, safeLine, safeText } from './redact.ts'

/** A tool as a server has it now. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly annotations: ToolAnnotations
  /** Of its whole definition, as the server gave it. */
  readonly hash: string
}

/** What the server says of it. Nobody need believe that. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

export interface ToolListing {
  readonly tools: readonly ListedTool[]
  /** What was left out, and why. */
  readonly problems: readonly string[]
}

/** Whoever can be asked; a connection. */
export interface Asked {
  ask(
    request: RpcRequest,
    options: { readonly signal: AbortSignal },
  ): Promise<unknown>
}

const maxTools = 500
const maxPages = 50
const maxNameLength = 256
const maxDescriptionPoints = 4_000
const definitionLimits = { maxBytes: 131_072, maxDepth: 40, maxNodes: 10_000 }

/** All tools of a server, each checked by itself. */
export async function listTools(
  server: Asked,
  { signal, redact }: { signal: AbortSignal; redact: Redact },
): Promise<ToolListing> {
  const listed = await listPages(server, {
    method: 'tools/list',
    key: 'tools',
    maxItems: maxTools,
    signal,
  })
  const tools: ListedTool[] = []
  const problems = listed.isCut
    ? [`it has more than ${maxTools} tools; the rest is left out`]
    : []
  for (const given of listed.items) {
    const read = readTool(given, redact)
    if (typeof read === 'string') problems.push(read)
    else tools.push(read)
  }
  return { tools, problems }
}

export interface PagesOptions {
  readonly method: string
  /** Where the items are in a page. */
  readonly key: string
  readonly maxItems: number
  readonly signal: AbortSignal
}

/** Page after page, up to a maximum; a server can have pages for ever. */
export async function listPages(server: Asked, options: PagesOptions) {
  const { method, key, maxItems, signal } = options
  const items: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const given = await server.ask({ method, params }, { signal })
    const found = isObject(given) ? given[key] : undefined
    if (Array.isArray(found)) items.push(...found.slice(0, maxItems + 1))
    if (items.length > maxItems) break
    const next = isObject(given) ? given['nextCursor'] : undefined
    if (typeof next !== 'string' || next === cursor) {
      return { items, isCut: false }
    }
    cursor = next
  }
  return { items: items.slice(0, maxItems), isCut: true }
}

function readTool(given: unknown, redact: Redact): ListedTool | string {
  if (!isObject(given)) return 'an entry among its tools is none'
  const { name, description, title, annotations, execution } = given
  const { inputSchema: schema, outputSchema } = given
  if (typeof name !== 'string' || name === '' || name.length > maxNameLength) {
    return `a tool has no name of 1 to ${maxNameLength} characters`
  }
  const shown = safeLine(name, { redact, maxPoints: 80 })
  if (redact(name) !== name) return `tool "${shown}": it has a secret name`
  const about = { name, title, description, annotations, execution }
  const all = { ...about, inputSchema: schema, outputSchema }
  const tooMuch = measureJson(all, definitionLimits)
  if (tooMuch !== undefined) return `tool "${shown}": it ${tooMuch}`
  if (isObject(execution) && execution['taskSupport'] === 'required') {
    return `tool "${shown}": it runs as a task, which is not supported`
  }
  const checked = checkSchema(schema)
  if (checked.problem !== undefined) {
    return `tool "${shown}": ${checked.problem}`
  }
  const maxPoints = maxDescriptionPoints
  const words = [description, title].map((text) =>
    safeText(text, { redact, maxPoints }).trim(),
  )
  // As text, so that credentials are found wherever they are.
  const inputSchema: JsonObject = JSON.parse(
    redact(JSON.stringify(checked.schema)),
  )
  return {
    name,
    description: words.find((text) => text !== '') ?? '',
    inputSchema,
    annotations: readAnnotations(annotations),
    hash: fingerprint(all),
  }
}

function readAnnotations(given: unknown): ToolAnnotations {
  if (!isObject(given)) return {}
  const hints = [
    'readOnlyHint',
    'destructiveHint',
    'idempotentHint',
    'openWorldHint',
  ] as const
  const said = hints.filter((hint) => typeof given[hint] === 'boolean')
  return Object.fromEntries(said.map((hint) => [hint, given[hint]]))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
