import { countCodePoints } from 'hookline'
import type { AgentScope, BoundTool, ToolResult } from 'hookline/lifecycle'
import { defineTool, type Memories } from '../../index.ts'
import type { AgentMemories } from './agent-memories.ts'
import type { MemoryPolicy } from './memory-policy.ts'
import { renderMemories } from './render-memories.ts'
import { subjectOf } from './subject.ts'

export interface MemoryToolsOptions {
  readonly agents: AgentMemories
  readonly memories: Memories
  /** How long a memory may be, in code points. */
  readonly maxTextChars: number
}

/** What the tools of one turn have to know of it. */
export interface TurnOfTools {
  readonly policy: MemoryPolicy
  readonly model: string
  /** On whose behalf it has begun. */
  readonly owner: string
}

/** The tools that a turn may have: to read, and to write. */
export function memoryTools(
  options: MemoryToolsOptions,
  turn: TurnOfTools,
): readonly BoundTool[] {
  const { read, write } = turn.policy
  return [
    ...(read ? [recallTool(options, turn)] : []),
    ...(write ? [rememberTool(options, turn), forgetTool(options, turn)] : []),
  ]
}

const maxResults = 20

function recallTool(
  { agents, memories }: MemoryToolsOptions,
  { owner }: TurnOfTools,
): BoundTool {
  return defineTool({
    name: 'recall',
    description:
      'Searches what was remembered in earlier conversations. Give the words that the memory would have.',
    input: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 1_000 },
        limit: { type: 'integer', minimum: 1, maximum: maxResults },
      },
      required: ['query'],
      additionalProperties: false,
    },
    safety: 'read_only',
    idempotent: true,
    async execute(args, { scope }) {
      // Its schema was checked, as with the others.
      const query = args['query'] as string
      const limit = args['limit'] as number | undefined
      const count = limit ?? agents.configOf(scope)?.recallLimit ?? 5
      const spaces = agents.spacesOf(scope, owner)
      const found = await memories.recall(spaces, query, {
        limit: count,
      })
      if (found.length === 0) return 'Nothing is remembered about that.'
      return renderMemories(found)
    },
  })
}

function rememberTool(
  { agents, memories, maxTextChars }: MemoryToolsOptions,
  { model, owner }: TurnOfTools,
): BoundTool {
  return defineTool({
    name: 'remember',
    description:
      'Keeps a fact for later conversations. One fact in one or two whole sentences, without secrets. With a subject, what was known under it is replaced.',
    input: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, maxLength: maxTextChars * 2 },
        subject: {
          type: 'string',
          description: 'What it is about, as home-city or coffee-order.',
          minLength: 1,
          maxLength: 80,
        },
      },
      required: ['text'],
      additionalProperties: false,
    },
    safety: 'mutating',
    idempotent: true,
    async execute(args, { scope }) {
      const text = args['text'] as string // checked
      const subject = args['subject'] as string | undefined // checked
      if (countCodePoints(text) > maxTextChars) {
        return failure(
          `A memory has at most ${maxTextChars} characters; say it in fewer words.`,
        )
      }
      const name = subject === undefined ? undefined : subjectOf(subject)
      if (subject !== undefined && name === undefined) {
        return failure(
          'The subject has no letters; name what the fact is about.',
        )
      }
      const space = agents.spaceOf(scope, owner)
      if (space === undefined) return failure(joined)
      const kept = await memories.remember(space, name, {
        text,
        origin: 'tool',
        by: `memory:tools ${model}`,
        ...placeOf(scope),
      })
      return `${said[kept.outcome]} as [${kept.name}].`
    },
  })
}

const said = {
  added: 'Remembered',
  refreshed: 'Known already, and kept',
  replaced: 'Remembered, in place of what was known before,',
}

const joined =
  'Others have joined this turn, and it is not known whose memory this would be: nothing is remembered or forgotten in it. Whoever wants that says so in a new message.'

function forgetTool(
  { agents, memories }: MemoryToolsOptions,
  { owner }: TurnOfTools,
): BoundTool {
  return defineTool({
    name: 'forget',
    description:
      'Removes a memory for good, and what it has replaced. Give its name as recall shows it in brackets.',
    input: {
      type: 'object',
      properties: { name: { type: 'string', minLength: 1, maxLength: 200 } },
      required: ['name'],
      additionalProperties: false,
    },
    safety: 'destructive',
    idempotent: true,
    async execute(args, { scope }) {
      const name = args['name'] as string // checked
      const bare = name.trim().replace(/^\[(.*)\]$/s, '$1')
      const space = agents.spaceOf(scope, owner)
      if (space === undefined) return failure(joined)
      const isGone = await memories.forget(space, bare)
      if (isGone) return 'Forgotten.'
      return failure(
        'There is no memory of that name; recall it first, and give the name in brackets.',
      )
    },
  })
}

/** Where in a conversation something was said. */
export function placeOf({ sessionId, turnId }: AgentScope) {
  return {
    ...(sessionId !== undefined && { sessionId }),
    ...(turnId !== undefined && { turnId }),
  }
}

function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true, error: 'tool' }
}
