import type { AgentScope, JsonObject, JsonValue } from 'hookline/lifecycle'
import type { Aliases } from '../alias-call.ts'
import { isClaudeName } from '../copilot/moments.ts'
import type { DialectName } from '../dialect.ts'
import type { MomentKind } from '../moment.ts'
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

/** Cursor has events of their own for some tools, with fields of their own. */
export function callIn(telling: Telling, cwd: string): ToldCall | undefined {
  const { dialect, event, stdin, aliases } = telling
  const id = textIn(stdin, 'tool_use_id')
  const read = (name: string, input: JsonObject, isClaudes = false) =>
    readCall({ dialect, name, input, id, cwd, aliases, isClaudes })
  if (event.endsWith('ShellExecution')) {
    return read('Bash', { command: stdin['command'] ?? '' }, true)
  }
  if (event === 'beforeReadFile') {
    return read('Read', { file_path: stdin['file_path'] ?? '' }, true)
  }
  if (event === 'afterFileEdit') {
    const { file_path = '', edits = [] } = stdin
    return read('Edit', { file_path, edits }, true)
  }
  const tool = stdin['tool_input'] ?? stdin['toolArgs']
  if (event.endsWith('MCPExecution')) {
    const name = `mcp__cursor__${textIn(stdin, 'tool_name') ?? ''}`
    return read(name, objectIn(tool), true)
  }
  const isOwn = dialect === 'copilot' && !isClaudeName(event)
  if (isOwn) {
    const name = textIn(stdin, 'toolName')
    return name === undefined
      ? undefined
      : read(name, objectIn(stdin['toolArgs']))
  }
  const name = textIn(stdin, 'tool_name')
  if (name === undefined) return undefined
  return read(name, objectIn(tool), dialect === 'copilot')
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
