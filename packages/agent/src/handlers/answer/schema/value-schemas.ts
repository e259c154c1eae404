import type { JsonObject, PointName } from 'hookline/lifecycle'
import { agentConfig } from './agent-schemas.ts'
import { permissionDecision, toolResult } from './call-schemas.ts'
import { media, reply } from './content-schemas.ts'
import {
  compactionHint,
  modelRequest,
  modelResponse,
  retryDecision,
} from './model-schemas.ts'
import { record } from './typed-schema.ts'

interface ValueSchemas {
  /** Of what `transform` and `replace` put in. */
  readonly value?: JsonObject
  /** Of what `respond` gives. */
  readonly output?: JsonObject
}

/** What the answers of each point may carry, where they carry something. */
export const valueSchemas = {
  'agent.build': { value: agentConfig },
  'turn.input': { value: media },
  'turn.output': { value: reply },
  'turn.error': { output: reply },
  'llm.pre_call': { value: modelRequest, output: modelResponse },
  'llm.post_call': { value: modelResponse },
  'llm.error': { output: retryDecision },
  'tool.pre_call': { value: record, output: toolResult },
  'tool.post_call': { value: toolResult },
  'permission.request': { output: permissionDecision },
  'compaction.pre': { value: compactionHint },
} as const satisfies { readonly [K in PointName]?: ValueSchemas }
