import { modelSettings } from './model-schemas.ts'
import {
  count,
  flag,
  list,
  number,
  object,
  oneOf,
  record,
  recordOf,
  text,
} from './typed-schema.ts'

const principal = { kind: oneOf('user', 'service', 'system'), id: text }

export const agentConfig = object(
  { name: text, model: text, instructions: text },
  {
    description: text,
    fragments: list(object({ id: text, content: text }, { plugin: text })),
    settings: modelSettings,
    tools: list(text),
    skills: list(text),
    mcpServers: list(text),
    subagents: list(text),
    limits: object(
      {},
      {
        maxSteps: count,
        maxToolCalls: count,
        maxTokens: count,
        maxCost: count,
        maxWallMs: count,
        maxDepth: count,
        maxContinues: count,
      },
    ),
    compaction: object(
      {},
      {
        maxTokens: count,
        softShare: number,
        hardShare: number,
        keepMessages: count,
      },
    ),
    budgets: object(
      {},
      {
        context: object({}, { maxEntries: count, maxCodePoints: count }),
        sections: object(
          {},
          {
            maxSections: count,
            maxSectionCodePoints: count,
            maxCodePoints: count,
          },
        ),
      },
    ),
    core: text,
    parent: text,
    isEphemeral: flag,
    plugins: recordOf(record),
  },
)

export const agentScope = object(
  {
    agent: text,
    origin: oneOf(
      'user',
      'hook',
      'preflight',
      'subagent',
      'background',
      'compaction',
    ),
    coreType: text,
  },
  {
    sessionId: text,
    turnId: text,
    turn: count,
    step: count,
    cwd: text,
    actor: object(principal, { besides: list(object(principal)) }),
    parents: list(text),
    hooksOf: text,
  },
)

export const turnStatus = oneOf(
  'succeeded',
  'rejected',
  'withheld',
  'failed',
  'cancelled',
  'limited',
)
