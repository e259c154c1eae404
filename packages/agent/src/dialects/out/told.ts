import type { AgentScope, JsonObject, JsonValue } from 'hookline/lifecycle'
import type { Aliases } from '../alias-call.ts'
import { isClaudeName } from '../copilot/moments.ts'
import type { DialectName } from '../dialect.ts'
import type { MomentKind } from '../moment.ts'
import { isObject } from '../printed.ts'
import { kindOf } from './product.ts'
import { objectIn, readCall, type ToldCall } from './told-call.ts'

/** What a product has told us, its hook. */
export interface Told {
  readonly dialect: DialectName
  readonly event: string
  readonly kind: MomentKind
  readonly stdin: JsonObject
  readonly scope: AgentScope
  readonly cwd: string
  readonly call: ToldCall | undefined
}

export interface Telling {
  readonly dialect: DialectName
  readonly event: string
  readonly stdin: JsonObject
  readonly aliases: Aliases
}

/** Undefined where the event is nothing to us. */
export function readTold(telling: Telling): Told | undefined {
  const { dialect, event, stdin } = telling
  const kind = kindOf(dialect, event)
  if (kind === undefined) return undefined
  const cwd = textIn(stdin, 'cwd') ?? rootIn(stdin) ?? ''
  return {
    dialect,
    event,
    kind,
    stdin,
    cwd,
    scope: scopeOf(telling, cwd),
    call: callIn(telling, cwd),
  }
}

export function textIn(from: JsonObject, ...keys: readonly string[]) {
  return keys.map((key) => from[key]).find((value) => typeof value === 'string')
}

function rootIn(stdin: JsonObject): string | undefined {
  const roots = stdin['workspace_roots']
  const [first] = Array.isArray(roots) ? roots : []
  return typeof first === 'string' ? first : undefined
}

function scopeOf({ dialect, stdin }: Telling, cwd: string): AgentScope {
  const session = textIn(stdin, 'session_id', 'sessionId', 'conversation_id')
  const turn = textIn(stdin, 'turn_id', 'prompt_id', 'generation_id')
  const inside = textIn(stdin, 'agent_id')
  const agent = textIn(stdin, 'agent_type')
  const isChild = inside !== undefined && agent !== undefined
  return {
    agent: isChild ? agent : 'main',
    origin: 'user',
    coreType: dialect,
    ...(session !== undefined && { sessionId: session }),
    ...(turn !== undefined && { turnId: turn }),
    ...(cwd !== '' && { cwd }),
    ...(isChild && { parents: ['main'] }),
  }
}

/**
 * Cursor has events of their own for some tools, with fields of their own.
 * Undefined where it is not said which tool is called, and with what.
 */
export function callIn(telling: Telling, cwd: string): ToldCall | undefined {
  const { dialect, event, stdin, aliases } = telling
  const id = textIn(stdin, 'tool_use_id')
  const read = (
    name: string | undefined,
    input: JsonObject | undefined,
    isClaudes = false,
  ) =>
    name && input
      ? readCall({ dialect, name, input, id, cwd, aliases, isClaudes })
      : undefined
  if (event.endsWith('ShellExecution')) {
    const command = textIn(stdin, 'command')
    return read('Bash', command === undefined ? command : { command }, true)
  }
  const path = textIn(stdin, 'file_path')
  if (event === 'beforeReadFile') {
    return read('Read', path === undefined ? path : { file_path: path }, true)
  }
  if (event === 'afterFileEdit') {
    const { edits = [] } = stdin
    const input = path === undefined ? path : { file_path: path, edits }
    return read('Edit', input, true)
  }
  const name = textIn(stdin, 'tool_name')
  const input = inputIn(stdin['tool_input'] ?? stdin['toolArgs'])
  if (event.endsWith('MCPExecution')) {
    return read(name && `mcp__cursor__${name}`, input, true)
  }
  const isOwn = dialect === 'copilot' && !isClaudeName(event)
  return isOwn
    ? read(textIn(stdin, 'toolName'), inputIn(stdin['toolArgs']))
    : read(name, input, dialect === 'copilot')
}

/** Without arguments there are none; what is no object is not that. */
export function inputIn(value: JsonValue = null): JsonObject | undefined {
  const isReadable =
    value === null || typeof value === 'string' || isObject(value)
  return isReadable ? objectIn(value) : undefined
}

/** What a call came to, wherever the product says so. */
export function responseIn(stdin: JsonObject): JsonValue {
  const { tool_response: response, tool_output: output } = stdin
  const result = stdin['toolResult'] ?? stdin['tool_result']
  const told = objectIn(result)
  const text = told['textResultForLlm'] ?? told['text_result_for_llm']
  const cursors = stdin['output'] ?? stdin['result_json']
  const given = response ?? text ?? output ?? cursors ?? ''
  const gemini = objectIn(response)['llmContent']
  return gemini ?? given
}
