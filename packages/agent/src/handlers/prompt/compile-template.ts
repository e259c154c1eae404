import type { Point } from 'hookline'
import { AgentError } from '../../ports/agent-error.ts'
import {
  readPlace,
  type TemplatePlace,
  type TemplateProblem,
} from './read-place.ts'

/** A text, and the places in it where values of an envelope go. */
export interface Template {
  readonly parts: readonly TemplatePart[]
  /** Without any place, all of the moment goes below the text. */
  readonly hasPlaces: boolean
}

type TemplatePart =
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'place' } & TemplatePlace)

/** Finds the places; what is wrong with them is thrown. */
export function compileTemplate(
  template: string,
  point?: Pick<Point, 'name'>,
): Template {
  const read = readTemplate(template, point)
  if (!('problem' in read)) return read
  const end = read.problem.endsWith('?') ? '' : '.'
  const message = `The template ${read.problem}${end}`
  throw new AgentError('invalid-config', message)
}

/**
 * Finds the places, or what is wrong with them as far as that can be known.
 * Where the point is known, so is what its input can have.
 */
export function readTemplate(
  template: string,
  point?: Pick<Point, 'name'>,
): Template | TemplateProblem {
  if (template.trim() === '') {
    return { problem: 'is empty; say what the model is to judge' }
  }
  const parts: TemplatePart[] = []
  let at = 0
  for (;;) {
    const open = template.indexOf('{{', at)
    const text = template.slice(at, open === -1 ? undefined : open)
    if (halfPlace.test(text)) return { problem: 'has a }} without its {{' }
    if (text !== '') parts.push({ type: 'text', text })
    if (open === -1) break
    const close = template.indexOf('}}', open)
    const next = template.indexOf('{{', open + 2)
    if (close === -1 || (next !== -1 && next < close)) {
      return { problem: 'has a {{ without its }}' }
    }
    const place = readPlace(template.slice(open + 2, close), point)
    if ('problem' in place) return place
    parts.push({ type: 'place', ...place })
    at = close + 2
  }
  return { parts, hasPlaces: parts.some(({ type }) => type === 'place') }
}

/** One brace too few at its start; other braces are fine in a text. */
const halfPlace = /\{ *(?:input|scope|decision)\b[\w$.-]*\?? *\}\}/
