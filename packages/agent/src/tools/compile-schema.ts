import type { Ajv, ErrorObject, Options } from 'ajv'
import type { JsonObject } from 'hookline/lifecycle'
import { type ArgsIssue, describeIssues } from '../data/args-issue.ts'
import { loadLinearEngine } from './linear-engine.ts'

/** Says what is wrong with arguments, if anything is. */
export type SchemaCheck = (args: JsonObject) => string | undefined

/** Compiles schemas; throws where one is not valid. */
export type SchemaCompiler = (schema: JsonObject) => SchemaCheck

export interface SchemaCompilerOptions {
  /**
   * Of whoever is trusted, any; `linear`: those of RE2, which take time in
   * proportion to the text, so that no schema can hold up the process by them.
   */
  readonly patterns?: 'any' | 'linear'
}

/** Loads ajv, which no agent needs before a call has arguments to check. */
export async function loadSchemaCompiler({
  patterns = 'any',
}: SchemaCompilerOptions = {}): Promise<SchemaCompiler> {
  const { Ajv } = await import('ajv')
  const own =
    patterns === 'any'
      ? options
      : { ...options, code: { regExp: await loadLinearEngine() } }
  const schemas = new Ajv(options)
  return (given) => {
    const schema = withoutDialect(given)
    if (schemas.validateSchema(schema) !== true) {
      throw new Error(schemas.errorsText(schemas.errors?.slice(0, 3)))
    }
    const validate = compilerOf(Ajv, own).compile(schema)
    // It would give a promise, which looks like a yes.
    if ('$async' in validate) throw new Error('"$async" is not supported')
    return toCheck(validate)
  }
}

const options: Options = {
  allErrors: true,
  strict: false,
  // What is inherited is no argument: `required: ['constructor']` means it.
  ownProperties: true,
  // Formats are hints; those that matter are said as patterns.
  validateFormats: false,
  logger: false,
}

/**
 * One for each schema, so that none can refer to another by its id, and none
 * outlives its tool. No reference is ever loaded: an unknown one throws.
 */
function compilerOf(AjvClass: typeof Ajv, own: Options): Ajv {
  const one = new AjvClass({ ...own, meta: false, validateSchema: false })
  for (const keyword of laterKeywords) {
    one.addKeyword({
      keyword,
      compile: () => {
        throw new Error(`the keyword "${keyword}" is not supported`)
      },
    })
  }
  return one
}

/** Of later drafts than this ajv knows; it would ignore them, and allow more. */
const laterKeywords = [
  'prefixItems',
  'minContains',
  'maxContains',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
  '$dynamicRef',
  '$recursiveRef',
]

const knownDialect =
  /^https?:\/\/json-schema\.org\/(draft-0[67]|draft\/(2019-09|2020-12))\/schema#?$/

/** The drafts differ in the keywords above, and the rest is read as draft 7. */
function withoutDialect({ $schema, ...schema }: JsonObject): JsonObject {
  const isKnown = typeof $schema === 'string' && knownDialect.test($schema)
  if ($schema === undefined || isKnown) return schema
  throw new Error('its "$schema" is none of draft 6, 7, 2019-09 and 2020-12')
}

function toCheck(validate: ReturnType<Ajv['compile']>): SchemaCheck {
  return (args) => {
    if (validate(args) === true) return undefined
    return describeIssues(validate.errors?.map(issueOf) ?? [])
  }
}

function issueOf(error: ErrorObject): ArgsIssue {
  const { instancePath, keyword, message = 'is not valid' } = error
  const [, ...path] = instancePath.split('/').map(unescapePointer)
  const detail: unknown = error.params[detailNames[keyword] ?? '']
  const said = detail === undefined ? '' : `: ${JSON.stringify(detail)}`
  return { path, message: message + said }
}

/** What ajv leaves out of its message, and a model needs to do better. */
const detailNames: Readonly<Record<string, string>> = {
  additionalProperties: 'additionalProperty',
  propertyNames: 'propertyName',
  enum: 'allowedValues',
  const: 'allowedValue',
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
