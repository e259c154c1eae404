import { type Field, fits, isFields, type Json } from './field-of.ts'

interface ArgumentProblem {
  readonly path: string
  readonly message: string
}

const maxProblems = 20

/**
 * What is plainly wrong with some arguments, so that nobody sends them in vain.
 * The tool itself has the last word: it checks them before they run.
 */
export function checkArguments(
  field: Field,
  value: Json,
): readonly ArgumentProblem[] {
  return check(field, value, '').slice(0, maxProblems)
}

function check(
  field: Field,
  value: Json,
  path: string,
): readonly ArgumentProblem[] {
  const wrong = (message: string) => [{ path, message }]
  if (field.kind === 'number') {
    if (typeof value !== 'number') return wrong('It is no number.')
    const isWhole = !field.isWhole || Number.isInteger(value)
    return isWhole ? [] : wrong('It is no whole number.')
  }
  if (!fits(field, value)) return wrong(wants[field.kind])
  if (field.kind === 'list' && Array.isArray(value)) {
    return value.flatMap((item: Json, at) =>
      check(field.item, item, `${path}[${at}]`),
    )
  }
  if (field.kind === 'group' && isFields(value)) {
    return field.fields.flatMap(({ name, isRequired, field: part }) => {
      const inner = path === '' ? name : `${path}.${name}`
      const given = Object.hasOwn(value, name) ? value[name] : undefined
      if (given !== undefined) return check(part, given, inner)
      return isRequired ? [{ path: inner, message: 'It is missing.' }] : []
    })
  }
  return []
}

const wants: Readonly<Record<Field['kind'], string>> = {
  text: 'It is no text.',
  number: 'It is no number.',
  flag: 'It is neither true nor false.',
  choice: 'It is none of those that there are.',
  list: 'It is no list.',
  group: 'It is no object.',
  json: 'It is no JSON.',
}
