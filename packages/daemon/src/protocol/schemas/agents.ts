import { z } from 'zod'
import { memoryOrigin, safety, serverState } from './closed-sets.ts'
import { id, jsonObject, nothing, pageOf, time } from './common.ts'

const agent = z.object({
  name: id,
  description: z.string().optional(),
  model: z.string(),
  /** Absent: all there are. */
  tools: z.array(z.string()).optional(),
  subagents: z.array(z.string()).optional(),
})

/** Whose memories: the agent's own, or those it has of a user. */
const space = { agent: id, user: id.optional() }

const memory = z.object({
  agent: z.string(),
  user: z.string().nullable(),
  name: z.string(),
  text: z.string(),
  createdAt: time,
  updatedAt: time,
  sessionId: z.string().nullable(),
  turnId: z.string().nullable(),
  origin: memoryOrigin,
  by: z.string().nullable(),
})

export const agents = {
  listAgents: {
    input: nothing,
    output: z.object({ items: z.array(agent) }),
  },
  getAgent: {
    input: z.strictObject({ agent: id }),
    output: agent.extend({
      /** Tools that it has, but for those that hooks give it in a turn. */
      available: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          owner: z.string(),
          safety,
        }),
      ),
      /** The whole of its configuration, as it was built. */
      config: jsonObject,
    }),
  },
  listSkills: {
    input: z.strictObject({ agent: id.optional() }),
    output: z.object({
      items: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          path: z.string(),
          isShadowed: z.boolean().optional(),
        }),
      ),
      problems: z.array(z.object({ path: z.string(), message: z.string() })),
    }),
  },
  listMcpServers: {
    input: nothing,
    output: z.object({
      items: z.array(
        z.object({
          name: z.string(),
          state: serverState,
          /** How many agents may use it. */
          agents: z.number().int(),
          /** How many requests are on their way. */
          calls: z.number().int(),
          problem: z.string().optional(),
        }),
      ),
    }),
  },
  listMemories: {
    input: z.strictObject({
      ...space,
      limit: z.number().int().min(1).max(1_000).optional(),
      after: z.string().max(500).optional(),
    }),
    output: pageOf(memory),
  },
  searchMemories: {
    input: z.strictObject({
      ...space,
      query: z.string().min(1).max(2_000),
      limit: z.number().int().min(1).max(100).optional(),
    }),
    output: z.object({
      items: z.array(memory.extend({ score: z.number() })),
    }),
  },
  forgetMemory: {
    input: z.strictObject({ ...space, name: z.string().min(1).max(500) }),
    output: z.object({ wasThere: z.boolean() }),
  },
}
