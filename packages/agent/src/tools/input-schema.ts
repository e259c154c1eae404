import type { JsonObject } from 'hookline/lifecycle'
import { describeIssues } from '../data/args-issue.ts'
import { copyJsonObject } from '../data/copy-json.ts'
import { AgentError } from '../ports/agent-error.ts'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'

export interface InputSpec {
  readonly name: string
  readonly input: StandardSchema | JsonObject
  readonly jsonSchema?: JsonObject
}

/** The JSON Schema that the model is shown: an own, frozen copy. */
export function inputSchemaOf(spec: InputSpec): JsonObject {
  const { value, issue } = copyJsonObject(givenSchema(spec))
  if (issue) {
    const problem = describeIssues([issue])
    throw invalid(spec, `has a JSON Schema that is no JSON data (${problem})`)
  }
  if (value['type'] === 'object') return value
  throw invalid(
    spec,
    'has an input that is no object; models call tools with named arguments, so give it a schema with type "object"',
  )
}

function givenSchema(spec: InputSpec): unknown {
  const { input, jsonSchema } = spec
  if (!isStandardSchema(input)) {
    if (jsonSchema === undefined) return input
    throw invalid(spec, 'has two JSON Schemas; leave out "jsonSchema"')
  }
  if (jsonSchema !== undefined) return jsonSchema
  const { vendor, jsonSchema: converter } = input['~standard']
  if (!converter) {
    throw invalid(
      spec,
      `has a schema of "${vendor}", which cannot say its JSON Schema; give one as "jsonSchema"`,
    )
  }
  try {
    return converter.input({ target: 'draft-07' })
  } catch (cause) {
    const what = 'has a schema that cannot be said as JSON Schema'
    throw invalid(spec, `${what}; give one as "jsonSchema"`, cause)
  }
}

function invalid({ name }: InputSpec, what: string, cause?: unknown) {
  return new AgentError('invalid-tool', `Tool "${name}" ${what}.`, cause)
}
