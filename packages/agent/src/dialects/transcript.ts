import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type {
  AgentScope,
  EndedCall,
  JsonObject,
  JsonValue,
  ModelResponse,
  Usage,
  UserContent,
} from 'hookline/lifecycle'
import { type Aliases, aliasCall, textOf } from './alias-call.ts'
import { sessionFileName } from './session-file-name.ts'

/**
 * Writes down what is said in sessions, the way scripts expect to read it: one
 * compact record on a line, flushed before anybody is asked about it.
 */
export class Transcripts {
  readonly #folder: string
  readonly #aliases: Aliases
  readonly #known = new Set<string>()

  constructor(dataDir: string, aliases: Aliases) {
    this.#folder = join(dataDir, 'transcripts')
    this.#aliases = aliases
  }

  pathOf(sessionId: string): string {
    return join(this.#folder, `${sessionFileName(sessionId)}.jsonl`)
  }

  /** A script may read the file before anything is in it. */
  begin(sessionId: string): void {
    if (this.#known.has(sessionId)) return
    this.#known.add(sessionId)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    appendFileSync(this.pathOf(sessionId), '', { mode: 0o600 })
  }

  /** What was written stays. */
  end(sessionId: string): void {
    this.#known.delete(sessionId)
  }

  addUser(scope: AgentScope, content: UserContent): void {
    this.#add(scope, 'user', { role: 'user', content: textOf(content) })
  }

  addAssistant(
    scope: AgentScope,
    { content, usage }: Pick<ModelResponse, 'content' | 'usage'>,
    model: string,
  ): void {
    const blocks = content.flatMap((block): JsonObject[] => {
      if (block.type === 'text') return [{ type: 'text', text: block.text }]
      if (block.type === 'reasoning') {
        return [{ type: 'thinking', thinking: block.text }]
      }
      if (block.type !== 'tool_call') return []
      const { id, tool, args } = block
      const call = { id, tool, args, owner: '', safety: 'read_only' as const }
      const { name, input } = aliasCall(call, scope.cwd ?? '', this.#aliases)
      return [{ type: 'tool_use', id, name, input }]
    })
    const told = { content: blocks, usage: usageOf(usage) }
    this.#add(scope, 'assistant', { role: 'assistant', model, ...told })
  }

  addResults(scope: AgentScope, results: readonly EndedCall[]): void {
    const content = results.map(({ call, result }) => ({
      tool_use_id: call.id,
      type: 'tool_result',
      content: textOf(result.content),
      is_error: result.isError,
    }))
    this.#add(scope, 'user', { role: 'user', content })
  }

  #add(scope: AgentScope, type: string, message: JsonValue): void {
    const { sessionId = '', cwd = '', parents = [] } = scope
    this.begin(sessionId)
    const record = {
      type,
      message,
      uuid: randomUUID(),
      sessionId,
      cwd,
      isSidechain: parents.length > 0,
      timestamp: new Date().toISOString(),
    }
    appendFileSync(this.pathOf(sessionId), `${JSON.stringify(record)}\n`)
  }
}

/** Scripts add these up: what comes from a cache is not part of the input. */
function usageOf(usage: Usage): JsonObject {
  const { inputTokens, outputTokens } = usage
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  const cached = cacheReadTokens + cacheWriteTokens
  return {
    input_tokens: Math.max(0, inputTokens - cached),
    output_tokens: outputTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
  }
}
