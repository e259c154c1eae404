import type { AgentConfig, DelegatedTask, JsonObject } from 'hookline/lifecycle'

interface TaskRules {
  readonly maxTasks: number
  readonly mayDescribe: boolean
  /** Whether work can be handed on without waiting for it. */
  readonly hasBackground: boolean
}

/** What a model may ask for. */
export function taskSchema({
  maxTasks,
  mayDescribe,
  hasBackground,
}: TaskRules): JsonObject {
  const text = { type: 'string', minLength: 1 }
  const name = { ...text, maxLength: 128 }
  const described = {
    type: 'object',
    description: 'An agent made for this task, with no more than you have.',
    properties: {
      name: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,40}$' },
      instructions: text,
      tools: { type: 'array', items: name, maxItems: 200 },
    },
    required: ['name', 'instructions'],
    additionalProperties: false,
  }
  const named = { ...text, description: 'The name of an agent.' }
  return {
    type: 'object',
    properties: {
      tasks: {
        type: 'array',
        minItems: 1,
        maxItems: maxTasks,
        items: {
          type: 'object',
          properties: {
            agent: mayDescribe ? { anyOf: [named, described] } : named,
            task: { ...text, description: 'All that the agent has to know.' },
          },
          required: ['agent', 'task'],
          additionalProperties: false,
        },
      },
      ...(hasBackground && { background }),
    },
    required: ['tasks'],
    additionalProperties: false,
  }
}

const background = {
  type: 'boolean',
  description:
    'Do not wait: you are told later what each of the tasks came to. Only for agents that have a name.',
}

/** What the runtime itself marks parts of a prompt with. */
const marks = /<(?=\s*\/?\s*(scope|agents|skills?|environment)\b)/gi

interface GivenTask {
  readonly agent: string | Pick<AgentConfig, 'name' | 'instructions' | 'tools'>
  readonly task: string
}

/** Arguments that fit the schema, as tasks. */
export function readTasks(
  args: JsonObject,
  { model }: { readonly model: string | undefined },
): readonly DelegatedTask[] {
  // The schema of the tool has been checked by whoever calls it.
  const { tasks } = args as unknown as { readonly tasks: readonly GivenTask[] }
  return tasks.map(({ agent, task }) => {
    if (typeof agent === 'string') return { agent, task }
    if (model === undefined) {
      throw new Error('An agent that nobody knows cannot make others.')
    }
    const instructions = agent.instructions.replace(marks, '&lt;')
    return { agent: { ...agent, instructions, model }, task }
  })
}
