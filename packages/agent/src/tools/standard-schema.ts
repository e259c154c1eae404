/**
 * A schema of any library that follows https://standardschema.dev, as far as a
 * tool needs it. Structural, so that no library has to be installed.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (
      value: unknown,
    ) => StandardResult<Output> | PromiseLike<StandardResult<Output>>
    /** Never there at run time; it carries the types. */
    readonly types?:
      | { readonly input: unknown; readonly output: Output }
      | undefined
    /** The schema as JSON Schema, where the library can say it. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string }) => object
    }
  }
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?:
    | readonly (PropertyKey | { readonly key: PropertyKey })[]
    | undefined
}

/** Some libraries have functions for schemas. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  const canHold =
    (typeof value === 'object' && value !== null) || typeof value === 'function'
  return canHold && '~standard' in value
}
