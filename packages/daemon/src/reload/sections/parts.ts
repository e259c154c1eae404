import {
  isProjectScope,
  list,
  number,
  record,
  refuse,
  type Shape,
  text,
} from '@hookline/agent/config'

export const path = text({
  pattern: /^[^\0]+$/,
  kind: 'a path',
  maxLength: 4096,
})

/** No character that a system call would take for the end. */
export const part = text({
  pattern: /^[^\0]*$/,
  kind: 'text without a zero character',
  mayBeEmpty: true,
})

const variablePattern = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The name of a variable: what it holds is never in a file. */
export const variable = text({
  pattern: variablePattern,
  kind: 'the name of a variable of the environment',
  maxLength: 200,
})

export const variables = list(variable, { max: 100 })

export const variableValues = record(part, {
  keys: variablePattern,
  kind: 'name of a variable',
  max: 100,
})

/** Of agents, models, tools and the like. */
export const name = text({
  pattern: /^[\w.:/@-]{1,128}$/,
  kind: 'a name of letters, digits and . : / @ _ -',
  maxLength: 128,
})

export const modelName = text({
  pattern: /^[^\s/]+\/\S+$/,
  kind: 'a model, written provider/model-id',
  maxLength: 200,
})

/** Timers of more than this fire at once. */
export const milliseconds = number({ isWhole: true, min: 1, max: 2 ** 31 - 1 })

export const count = number({ isWhole: true, min: 1, max: 2 ** 31 - 1 })

/** What could loosen something is not for a project to say. */
export function notOfProject<T>(shape: Shape<T>): Shape<T> {
  return {
    schema: shape.schema,
    read(node, reading) {
      const { layer } = reading.report
      if (!isProjectScope(layer)) return shape.read(node, reading)
      const key = String(reading.path.at(-1))
      const message = `The key "${key}" is not accepted from a ${layer} file; put it into the user's own.`
      return refuse(node, reading, { code: 'refused-key', message })
    },
  }
}

/**
 * The same, and what else has to hold of it; `problemOf` throws or gives a
 * sentence.
 */
export function checked<T>(
  shape: Shape<T>,
  problemOf: (value: T) => string | undefined,
): Shape<T> {
  return {
    schema: shape.schema,
    read(node, reading) {
      const before = reading.report.count
      const value = shape.read(node, reading)
      // What is wrong in a part makes no sense of the whole.
      if (value === undefined || reading.report.count > before) return value
      const message = problemIn(() => problemOf(value))
      if (message === undefined) return value
      return refuse(node, reading, { code: 'wrong-value', message })
    },
  }
}

function problemIn(find: () => string | undefined): string | undefined {
  try {
    return find()
  } catch (error) {
    return error instanceof Error ? error.message : 'It cannot be used.'
  }
}
