import { answerSchema, envelopeSchema } from '@hookline/agent/handlers'
import { points } from 'hookline/lifecycle'
import { cell, code, typeText } from './schema-text.mjs'

const everywhere = ['notice', 'audit', 'job']
const flows = {
  serial: 'one after the other, each sees what the one before left',
  parallel: 'in batches, at the same time within one',
  observe: 'after the fact, waited for by nobody',
}

/**
 * Every point, with all that its definition says.
 * @param {(file: string) => string} read a source of the lifecycle
 * @param {readonly string[]} files
 */
export function pointsPage(read, files) {
  const sources = files.map(read).join('\n')
  const all = Object.values(points)
  return [
    '# Points',
    '',
    'Every point of the lifecycle, in the order of a turn. Every point allows `proceed` and takes audit entries and jobs, and notices from hooks that are waited for; every one can be matched by `agent` and `origin`, too. What the words mean: [concepts](../guide/concepts.md). What each answer does: [answers](answers.md).',
    '',
    '| point | order | answers beyond `proceed` | contributions |',
    '|---|---|---|---|',
    ...all.map(indexRow),
    '',
    ...all.map((point) => section(point, meaningOf(point.name, sources))),
  ].join('\n')
}

/** @param {import('hookline').Point} point */
function indexRow(point) {
  const { name } = point
  const kinds = kindsOf(point).map(code).join(', ')
  const answers = [...point.answers].map(code).join(', ')
  const link = `[\`${name}\`](#${name.replace(/[^\w]/g, '')})`
  return `| ${link} | ${arrowOf(point)} | ${answers || '–'} | ${kinds || '–'} |`
}

/** @param {import('hookline').Point} point */
function arrowOf({ flow, order }) {
  if (flow !== 'serial') return flow === 'parallel' ? 'batches' : 'observe'
  return order === 'ascending' ? '→' : '←'
}

/** @param {import('hookline').Point} point */
function kindsOf({ kinds }) {
  return [...kinds.keys()].filter((kind) => !everywhere.includes(kind))
}

/**
 * @param {import('hookline').Point} point
 * @param {string} meaning
 */
function section(point, meaning) {
  const { name, flow, order, subject, failure, rights, isStreamed } = point
  const answers = [...point.answers].map((answer) => {
    const right = rights.get(answer)
    return code(answer) + (right ? ` (needs the capability \`${right}\`)` : '')
  })
  const direction = order === 'ascending' ? 'lowest' : 'highest'
  const kinds = kindsOf(point).map(code).join(', ')
  const fields = [...point.fields.keys()].map(code).join(', ')
  const facts = [
    [
      'runs',
      `${/** @type {any} */ (flows)[flow]}; the ${direction} priority first`,
    ],
    ['answers', ['`proceed`', ...answers].join(', ')],
    ['may change', subject ? code(subject) : ''],
    ['responds with', outputOf(point)],
    ['contributions', kinds],
    ['match fields', fields],
    ['a failed hook', `${code(failure)} by default`],
    [
      'holds text back',
      isStreamed ? 'until it has answered; see `holdBack`' : '',
    ],
  ]
  const rows = facts.filter(([, text]) => text)
  return [
    `## ${name}`,
    '',
    meaning,
    '',
    '| | |',
    '|---|---|',
    ...rows.map(([what, text]) => `| ${what} | ${cell(text ?? '')} |`),
    '',
    '| input | what it is |',
    '|---|---|',
    ...inputRows(point),
    '',
  ].join('\n')
}

/** @param {import('hookline').Point} point */
function outputOf(point) {
  if (!point.answers.has('respond')) return ''
  const schema = /** @type {any} */ (answerSchema(point))
  const choices = schema.oneOf ?? schema.anyOf ?? []
  const respond = choices.find(
    (/** @type {any} */ one) => one.properties?.type?.const === 'respond',
  )
  const output = respond?.properties?.output
  return output ? shapeText(output) : ''
}

/** @param {import('hookline').Point} point */
function inputRows(point) {
  const { properties } = /** @type {any} */ (envelopeSchema(point))
  const rows = fieldRows(properties.input, '')
  return rows.length > 0 ? rows : [`| | ${shapeText(properties.input)} |`]
}

/**
 * The fields of an object, and below each those that it has itself.
 * @param {any} schema
 * @param {string} path
 * @returns {string[]}
 */
function fieldRows(schema, path) {
  const shapes = schema.oneOf ?? schema.anyOf ?? [schema]
  const keys = new Set(
    shapes.flatMap((/** @type {any} */ { properties }) => {
      return Object.keys(properties ?? {})
    }),
  )
  return [...keys].flatMap((key) => {
    const has = shapes.map((/** @type {any} */ one) => one.properties?.[key])
    const values = has.filter((/** @type {any} */ one) => one !== undefined)
    const isSure = shapes.every((/** @type {any} */ one) => {
      return one.required?.includes(key)
    })
    const words = [...new Set(values.map(shapeText))].join(', or ')
    const row = `${words}${isSure ? '' : ', may be absent'}`
    const inner = path === '' ? fieldRows(values[0], `${key}.`) : []
    return [`| ${code(path + key)} | ${cell(row)} |`, ...inner]
  })
}

/**
 * A type, with the names of what is in it.
 * @param {any} schema
 * @returns {string}
 */
function shapeText(schema) {
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) return [...new Set(choices.map(shapeText))].join(', or ')
  if (schema.type === 'array' && schema.items) {
    return `list of ${shapeText(schema.items)}`
  }
  const keys = Object.keys(schema.properties ?? {})
  if (keys.length === 0) return typeText(schema)
  const { type } = schema.properties
  const named = type?.const ?? type?.enum?.join(', ')
  const rest = keys.filter((key) => key !== 'type' || named === undefined)
  const inside = rest.map(code).join(', ')
  return `object${named === undefined ? '' : ` ${code(named)}`}${inside && ` with ${inside}`}`
}

/**
 * The sentence above its definition.
 * @param {string} name
 * @param {string} sources
 */
function meaningOf(name, sources) {
  const quoted = name.replaceAll('.', '\\.')
  const found = new RegExp(
    `/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*export const \\w+ = (?:lifecyclePoint|definePoint)\\(\\s*'${quoted}'`,
  ).exec(sources)?.[1]
  if (!found) throw new Error(`Nothing stands above the point ${name}.`)
  return found.replace(/\s*\n\s*\*?\s*/g, ' ').trim()
}
