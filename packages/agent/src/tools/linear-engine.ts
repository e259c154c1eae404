import type { CodeOptions } from 'ajv'

type Engine = NonNullable<CodeOptions['regExp']>

const maxSourceLength = 1_000

/**
 * RE2 for the patterns of a schema, which are found anywhere in a text. What it
 * does not have, such as look-ahead, makes the schema one that is not valid.
 */
export async function loadLinearEngine(): Promise<Engine> {
  const { RE2JS } = await import('re2js')
  const compile = (source: string) => {
    if (source.length > maxSourceLength) {
      throw new Error(`a pattern is longer than ${maxSourceLength} characters`)
    }
    const regex = RE2JS.compile(source)
    return {
      test: (text: string) => regex.matcher(text).find(),
      // The name under which ajv keeps it.
      toString: () => `re2 ${source}`,
    }
  }
  // For code that is written out, which ours never is.
  return Object.assign(compile, { code: 'linearPattern' })
}
