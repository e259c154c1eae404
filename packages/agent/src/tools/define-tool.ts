import type {
  BoundTool,
  JsonObject,
  SafetyClass,
  ToolContext,
  ToolDefinition,
  ToolDispatch,
} from 'hookline/lifecycle'
import { isPromiseLike } from '../data/promise-like.ts'
import { AgentError } from '../ports/agent-error.ts'
import { inputSchemaOf } from './input-schema.ts'
import { checkBySchema } from './schema-check.ts'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'
import { resultOf, type ToolOutput } from './tool-output.ts'

export interface ToolSpec<Input extends ToolInput> {
  /** Letters, digits, _ and -, at most 64, as providers ask. */
  readonly name: string
  readonly description: string
  /** A schema of zod or any other Standard Schema library; or JSON Schema. */
  readonly input: Input
  /** For a Standard Schema that cannot say its own. */
  readonly jsonSchema?: JsonObject
  readonly safety: SafetyClass
  /** May be repeated when a crash has left its outcome unknown. */
  readonly idempotent?: boolean
  readonly timeoutMs?: number
  /** A person answers it: no time limit is about that. */
  readonly waitsForPeople?: boolean
  /** `client`: whoever has opened the session runs it. */
  readonly execute: ToolExecute<ArgsOf<Input>> | 'client'
}

export type ToolInput = StandardSchema | JsonObject

type ArgsOf<Input> =
  Input extends StandardSchema<infer Output> ? Output : JsonObject

export type ToolExecute<Args> = (
  args: Args,
  context: ToolContext,
) => ToolOutput | PromiseLike<ToolOutput>

/** A tool with what runs it; throws an `AgentError` if it could not be called. */
export function defineTool<const Input extends ToolInput>(
  spec: ToolSpec<Input>,
): BoundTool {
  const { name, description, safety, idempotent, timeoutMs } = spec
  const { waitsForPeople } = spec
  const problem = problemOf(spec)
  if (problem !== undefined) {
    throw new AgentError('invalid-tool', `Tool "${name}" ${problem}.`)
  }
  const tool: BoundTool = {
    name,
    description,
    inputSchema: inputSchemaOf(spec),
    safety,
    ...(idempotent !== undefined && { idempotent }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(waitsForPeople !== undefined && { waitsForPeople }),
    dispatch: dispatchOf(spec.execute),
    ...(isStandardSchema(spec.input) && {
      checkArgs: checkBySchema(spec.input),
    }),
  }
  return Object.freeze(tool)
}

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/
const classes = ['read_only', 'mutating', 'destructive', 'network']

/** Types cannot say all of it, and not every caller has types. */
function problemOf(spec: Omit<ToolDefinition, 'inputSchema'>) {
  const { name, description, safety, timeoutMs } = spec
  if (typeof name !== 'string' || !namePattern.test(name)) {
    return 'has a name that providers refuse; use 1 to 64 letters, digits, _ and -'
  }
  if (typeof description !== 'string' || description.trim() === '') {
    return 'has no description; say what it does, as models choose tools by it'
  }
  if (!classes.includes(safety)) {
    return `has no safety class; give it one of ${classes.join(', ')}`
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs < Infinity)) {
    return 'has a timeoutMs that is not a number above 0'
  }
  return undefined
}

function dispatchOf<Args>(execute: ToolExecute<Args> | 'client'): ToolDispatch {
  if (execute === 'client') return (_call, context) => context.forward()
  return (call, context) => {
    // They are what `checkArgs` made of them, which the schema types.
    const output = execute(call.args as Args, context)
    return isPromiseLike(output) ? output.then(resultOf) : resultOf(output)
  }
}
