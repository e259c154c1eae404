import { AgentError } from '../../ports/agent-error.ts'
import type { Envelope } from '../handler.ts'

/** A text, and the places in it where values of an envelope go. */
export interface Template {
  readonly parts: readonly TemplatePart[]
  /** Without any place, all of the moment goes below the text. */
  readonly hasPlaces: boolean
}

type TemplatePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'place'; readonly path: readonly string[] }

/** What an envelope can have: nothing within, anything, or just these. */
type Shape = 'value' | 'anything' | { readonly [key: string]: Shape }

const actor: Shape = { kind: 'value', id: 'value', besides: 'anything' }

const envelope: Readonly<Record<keyof Envelope, Shape>> = {
  protocol: 'value',
  point: 'value',
  hook: 'value',
  run: 'value',
  deadlineMs: 'value',
  scope: {
    agent: 'value',
    origin: 'value',
    coreType: 'value',
    sessionId: 'value',
    turnId: 'value',
    turn: 'value',
    step: 'value',
    cwd: 'value',
    actor,
    parents: 'anything',
  },
  input: 'anything',
  decision: { type: 'value', by: 'value', reason: 'value' },
}

/** Finds the places, and what is wrong with them as far as that can be known. */
export function compileTemplate(template: string): Template {
  if (template.trim() === '') {
    throw invalid('is empty; say what the model is to judge')
  }
  const parts: TemplatePart[] = []
  let at = 0
  for (;;) {
    const open = template.indexOf('{{', at)
    const text = template.slice(at, open === -1 ? undefined : open)
    if (text !== '') parts.push({ type: 'text', text })
    if (open === -1) break
    const close = template.indexOf('}}', open)
    if (close === -1) throw invalid('has a {{ without its }}')
    const path = readPath(template.slice(open + 2, close))
    parts.push({ type: 'place', path })
    at = close + 2
  }
  return { parts, hasPlaces: parts.some(({ type }) => type === 'place') }
}

const segment = /^[\w$-]+$/
const unsafe = new Set(['__proto__', 'constructor', 'prototype'])

function readPath(written: string): readonly string[] {
  const path = written.trim().split('.')
  for (const key of path) {
    if (segment.test(key) && !unsafe.has(key)) continue
    throw invalid('has a {{place}} that is no path such as input.args.command')
  }
  let shape: Shape = envelope
  for (const [index, key] of path.entries()) {
    if (shape === 'anything') return path
    const where = path.slice(0, index).join('.') || 'the envelope'
    if (shape === 'value') {
      throw invalid(`looks for "${key}" in ${where}, which has no parts`)
    }
    const next: Shape | undefined = Object.hasOwn(shape, key)
      ? shape[key]
      : undefined
    if (next === undefined) {
      const known = Object.keys(shape).join(', ')
      throw invalid(`looks for "${key}" in ${where}, which has only: ${known}`)
    }
    shape = next
  }
  return path
}

function invalid(problem: string): AgentError {
  return new AgentError('invalid-config', `The template ${problem}.`)
}
