import { answerSchema } from '@hookline/agent/handlers'
import { shippedHooks } from '@hookline/agent/hooks'
import { points } from 'hookline/lifecycle'
import { cell, code, keyRows, keyTable, typeText } from './schema-text.mjs'

/** Every answer: what it says, what it carries, where it can be given. */
export function answersPage() {
  /** @type {Map<string, { about: string, keys: string[], at: string[] }>} */
  const answers = new Map()
  for (const point of Object.values(points)) {
    const schema = /** @type {any} */ (answerSchema(point))
    for (const one of schema.oneOf ?? schema.anyOf ?? [schema]) {
      const {
        type,
        run: _,
        contributions: __,
        diagnostics: ___,
        ...own
      } = one.properties
      const known = answers.get(type.const) ?? {
        about: one.description ?? type.description ?? '',
        keys: Object.keys(own),
        at: /** @type {string[]} */ ([]),
      }
      known.at.push(point.name)
      answers.set(type.const, known)
    }
  }
  const isEverywhere = (/** @type {string[]} */ at) =>
    at.length === Object.keys(points).length
  return [
    '# Answers',
    '',
    'What a hook can say, and where. In code each is a function of `hookline` (`proceed` is a value); a handler outside the process gives a JSON object with `type` and the keys named here. A point has some answers only; another one is a failure of the hook, never an answer.',
    '',
    '| answer | what it says | keys as JSON | points |',
    '|---|---|---|---|',
    ...[...answers].map(([type, { about, keys, at }]) => {
      const where = isEverywhere(at) ? 'all' : at.map(pointLink).join(', ')
      const names = keys.map(code).join(', ') || '–'
      return `| ${code(type)} | ${cell(about)} | ${names} | ${where} |`
    }),
    '',
    'Beside these, an answer as JSON may have `run` (the id from the envelope; a resident process has to name it), `contributions` and `diagnostics`. Where several gates answer, `reject` counts before `ask`, and `ask` before `proceed`.',
    '',
  ].join('\n')
}

/** @param {string} name */
function pointLink(name) {
  return `[\`${name}\`](points.md#${name.replace(/[^\w]/g, '')})`
}

/** @typedef {import('./schema-text.mjs').Schema} Schema */

/**
 * What definitions are that do not say it themselves.
 * @type {Record<string, string>}
 */
const definitions = {
  hook: 'One hook: where it is asked, about what, and what answers. [Points](points.md) says what each has: its match fields, its answers, what may be contributed. A key with a type in brackets is one of handlers of that type.',
  use: 'Hooks that ship, by the name of their entry in the [catalogue](hooks.md), which has the options of each.',
}

/**
 * Every key of the files.
 * @param {Schema & { definitions: Record<string, Schema> }} schema
 */
export function configPage(schema) {
  const sections = Object.entries(schema.properties ?? {})
  return [
    '# Configuration',
    '',
    'Every key of `hookline.config.*` and `hooks.*`, made from the schema that checks them (`@hookline/agent/hookline.schema.json` for hooks, `@hookline/daemon/hookline.schema.json` with all sections). Where files are and how layers combine: [handlers as data](../guide/handlers.md#files-and-layers). `policy`, `models`, `store` and `daemon` count only in managed files, the user’s own and what a program gives.',
    '',
    '`a.b` is a key within a key, `a[].b` one of each item, `a.*.b` one of each entry with a name of your own.',
    '',
    ...sections.flatMap(([name, section]) => [
      `## ${name}`,
      '',
      `${section.description ?? ''} Value: ${typeText(section)}.`.trim(),
      '',
      ...table(section, name),
    ]),
    ...Object.entries(schema.definitions).flatMap(([name, definition]) => [
      `## ${name}`,
      '',
      definition.description ?? definitions[name] ?? '',
      '',
      ...table(definition, ''),
    ]),
  ].join('\n')
}

/**
 * @param {Schema} schema
 * @param {string} name
 */
function table(schema, name) {
  const prefix = schema.type === 'array' ? `${name}[].` : name && `${name}.`
  const inner = schema.items ?? schema
  // What is one of several definitions is told where they are.
  if (inner.then) return []
  const choices = inner.anyOf ?? inner.oneOf ?? inner.allOf
  const shapes = inner.properties ? [inner] : (choices ?? [inner])
  const rows = shapes.flatMap((one) => keyRows(one, prefix))
  return rows.length > 0 ? [keyTable([...new Set(rows)]), ''] : []
}

/**
 * Every entry of the catalogue, with its options.
 * @param {(name: string) => boolean} hasPage
 */
export function hooksPage(hasPage) {
  const specs = [...shippedHooks].sort((a, b) => (a.name < b.name ? -1 : 1))
  return [
    '# Hooks that ship',
    '',
    'They come with `@hookline/agent/hooks`. In code each is a plugin, `createAgent({ plugins: [callLimit({ toolCalls: 4 })] })`; options are checked in either place.',
    '',
    '| name | what it does |',
    '|---|---|',
    ...specs.map(({ name, description }) => {
      return `| [\`${name}\`](#${name}) | ${cell(description)} |`
    }),
    '',
    ...specs.flatMap(({ name, description, options }) => {
      const rows = keyRows(options.schema)
      const page = `[Its page](../guide/hooks/${name}.md) has an example, and what it cannot do.`
      return [
        `## ${name}`,
        '',
        description,
        '',
        ...(rows.length > 0
          ? [keyTable(rows), '']
          : ['It has no options.', '']),
        ...(hasPage(name) ? [page, ''] : []),
      ]
    }),
  ].join('\n')
}
