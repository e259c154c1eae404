import type { BoundTool, JsonObject, MediaBlock } from 'hookline/lifecycle'
import { defineTool } from '../../index.ts'
import { type CallParts, callServer, failure } from './call-server.ts'
import type { Connection } from './connection.ts'
import { type ContentOptions, readBlocks } from './read-content.ts'
import { safeLine } from './redact.ts'
import { isObject, listPages } from './tool-listing.ts'

const maxListed = 200
const serverInput = { type: 'string', maxLength: 64 }

/** Lists and reads what servers have beside tools. */
export function resourceTools(parts: CallParts): readonly BoundTool[] {
  return [resourceTool(parts), promptTool(parts)]
}

interface ResourceArgs {
  readonly server: string
  readonly uri?: string
}

function resourceTool(parts: CallParts): BoundTool {
  return defineTool({
    name: 'mcp_resource',
    description:
      'Reads a resource of an MCP server by its uri; without one, lists the resources that the server has.',
    input: {
      type: 'object',
      properties: {
        server: serverInput,
        uri: { type: 'string', minLength: 1, maxLength: 2_000 },
      },
      required: ['server'],
      additionalProperties: false,
    },
    safety: 'network',
    execute(args, context) {
      const { server: name, uri } = checked<ResourceArgs>(args)
      return callServer(parts, { name, context }, async (connection, use) => {
        const { signal, server } = use
        if (connection.capabilities.resources === undefined) {
          return failure('tool', `The server "${name}" has no resources.`)
        }
        const { maxOutputBytes: maxBytes } = context.call.grant
        const options = { maxBytes: maxBytes - 2_000, redact: server.redact }
        if (uri === undefined) {
          const lines = await listResources(connection, signal)
          return success([listing(lines, options)])
        }
        const params = { uri }
        const given = await connection.ask(
          { method: 'resources/read', params },
          { signal },
        )
        const contents = isObject(given) ? given['contents'] : []
        const parts = (Array.isArray(contents) ? contents : []).map(
          (resource: unknown) => ({ type: 'resource', resource }),
        )
        return success(readBlocks(parts, options))
      })
    },
  })
}

async function listResources(connection: Connection, signal: AbortSignal) {
  const safe = lineReader(connection)
  const page = { maxItems: maxListed, signal }
  const resources = await listPages(connection, {
    ...page,
    method: 'resources/list',
    key: 'resources',
  })
  const templates = await listPages(connection, {
    ...page,
    method: 'resources/templates/list',
    key: 'resourceTemplates',
  })
  const line = (one: unknown, key: string) =>
    isObject(one) ? `${safe(one[key])} ${safe(one['name'])}` : ''
  return [
    ...resources.items.map((one) => line(one, 'uri')),
    ...templates.items.map((one) => line(one, 'uriTemplate')),
    ...(resources.isCut || templates.isCut ? ['There are more.'] : []),
  ]
}

interface PromptArgs {
  readonly server: string
  readonly name?: string
  readonly arguments?: JsonObject
}

function promptTool(parts: CallParts): BoundTool {
  return defineTool({
    name: 'mcp_prompt',
    description:
      'Gives a prompt that an MCP server has for a task, by its name; without one, lists the prompts of the server.',
    input: {
      type: 'object',
      properties: {
        server: serverInput,
        name: { type: 'string', minLength: 1, maxLength: 256 },
        arguments: {
          type: 'object',
          additionalProperties: { type: 'string', maxLength: 20_000 },
        },
      },
      required: ['server'],
      additionalProperties: false,
    },
    safety: 'network',
    execute(args, context) {
      const { server: name, ...wanted } = checked<PromptArgs>(args)
      return callServer(parts, { name, context }, async (connection, use) => {
        const { signal, server } = use
        if (connection.capabilities.prompts === undefined) {
          return failure('tool', `The server "${name}" has no prompts.`)
        }
        const { maxOutputBytes: maxBytes } = context.call.grant
        const options = { maxBytes: maxBytes - 2_000, redact: server.redact }
        if (wanted.name === undefined) {
          const lines = await listPrompts(connection, signal)
          return success([listing(lines, options)])
        }
        const params = { name: wanted.name, arguments: wanted.arguments ?? {} }
        const given = await connection.ask(
          { method: 'prompts/get', params },
          { signal },
        )
        const messages = isObject(given) ? given['messages'] : []
        const blocks = (Array.isArray(messages) ? messages : []).flatMap(spoken)
        return success(readBlocks(blocks, options))
      })
    },
  })
}

async function listPrompts(connection: Connection, signal: AbortSignal) {
  const safe = lineReader(connection)
  const { items, isCut } = await listPages(connection, {
    method: 'prompts/list',
    key: 'prompts',
    maxItems: maxListed,
    signal,
  })
  const lines = items.map((one) => {
    if (!isObject(one)) return ''
    const given = Array.isArray(one['arguments']) ? one['arguments'] : []
    const names = given.map((arg: unknown) =>
      isObject(arg) ? safe(arg['name']) : '',
    )
    const words = safe(one['description'])
    return `${safe(one['name'])}(${names.join(', ')}) ${words}`
  })
  return [...lines, ...(isCut ? ['There are more.'] : [])]
}

function lineReader({ redact }: Connection) {
  return (given: unknown) => safeLine(given, { redact, maxPoints: 500 })
}

/** What is said, and who says it. */
function spoken(message: unknown): unknown[] {
  if (!isObject(message)) return []
  const role = message['role'] === 'assistant' ? 'assistant' : 'user'
  return [{ type: 'text', text: `[${role}]` }, message['content']]
}

function listing(lines: readonly string[], options: ContentOptions) {
  const said = lines.filter((line) => line.trim() !== '').join('\n')
  const [block] = readBlocks([{ type: 'text', text: said || 'None.' }], options)
  return block ?? { type: 'text' as const, text: 'None.' }
}

function success(content: readonly MediaBlock[]) {
  return { content, isError: false as const }
}

function checked<Args>(args: JsonObject): Args {
  // Its schema was checked, which says what it has.
  return args as unknown as Args
}
