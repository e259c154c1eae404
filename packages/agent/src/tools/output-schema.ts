import type { JsonObject } from 'hookline/lifecycle'
import { describeIssues } from '../data/args-issue.ts'
import { AgentError } from '../ports/agent-error.ts'
import { loadSchemaCompiler, type SchemaCheck } from './compile-schema.ts'
import type { ToolInput } from './define-tool.ts'
import { runBounded } from './run-bounded.ts'
import { issueOf } from './schema-check.ts'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'

/** What a reply has to be a value of. */
export interface OutputSchema {
  /** As the model is shown it. */
  readonly jsonSchema: JsonObject
  /** The value as the schema reads it, or what is wrong with it. */
  check(value: unknown): Promise<{ value?: unknown; problem?: string }>
}

export function readOutputSchema(schema: ToolInput): OutputSchema {
  return isStandardSchema(schema) ? fromStandard(schema) : fromJson(schema)
}

function fromStandard(schema: StandardSchema): OutputSchema {
  const { jsonSchema: converter, vendor, validate } = schema['~standard']
  if (converter === undefined) {
    const message = `A schema of "${vendor}" cannot say its JSON Schema; give the JSON Schema itself.`
    throw new AgentError('invalid-output-schema', message)
  }
  return {
    // What a library gives as JSON Schema is JSON.
    jsonSchema: converter.input({ target: 'draft-07' }) as JsonObject,
    async check(given) {
      const result = await validate(given)
      if (result.issues === undefined) return { value: result.value }
      return { problem: describeIssues(result.issues.map(issueOf)) }
    },
  }
}

function fromJson(jsonSchema: JsonObject): OutputSchema {
  let compiled: Promise<SchemaCheck> | undefined
  // It may have come from outside, and so may the reply.
  const compile = async () =>
    (await loadSchemaCompiler({ patterns: 'linear' }))(jsonSchema)
  return {
    jsonSchema,
    async check(value) {
      compiled ??= compile()
      const check = await compiled
      // The check says what is wrong with any value, not only with objects.
      const problem = checkInTime(() => check(value as JsonObject))
      return problem === undefined ? { value } : { problem }
    },
  }
}

const checkMs = 1_000

/** References to references can be many more than there is time for. */
function checkInTime<T>(check: () => T): T | string {
  try {
    return runBounded(check, checkMs)
  } catch (error) {
    if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return `It takes more than ${checkMs} ms to check it; the schema has to be simpler.`
  }
}
