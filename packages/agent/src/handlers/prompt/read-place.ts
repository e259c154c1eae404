import type { Point } from 'hookline'
import { nearestName } from '../../data/nearest-name.ts'
import { inputFields } from '../answer/input-fields.ts'
import type { Envelope } from '../handler.ts'

/** Where a value of an envelope goes. */
export interface TemplatePlace {
  readonly path: readonly string[]
  /** It was written with a `?`: there may be nothing. */
  readonly mayBeMissing: boolean
}

/** What is wrong with a template, as the rest of a sentence about it. */
export interface TemplateProblem {
  readonly problem: string
  /** The word that was most likely meant. */
  readonly suggestion?: string | undefined
}

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
    hooksOf: 'value',
  },
  input: 'anything',
  decision: { type: 'value', by: 'value', reason: 'value' },
}

const segment = /^[\w$-]+$/
const unsafe = new Set(['__proto__', 'constructor', 'prototype'])

/** Reads what stands between braces, and finds what no envelope can have. */
export function readPlace(
  written: string,
  point?: Pick<Point, 'name'>,
): TemplatePlace | TemplateProblem {
  const trimmed = written.trim()
  const mayBeMissing = trimmed.endsWith('?')
  const path = (mayBeMissing ? trimmed.slice(0, -1) : trimmed).split('.')
  const isPath = path.every((key) => segment.test(key) && !unsafe.has(key))
  if (!isPath) {
    const problem = 'has a {{place}} that is no path such as input.args.command'
    return { problem }
  }
  return problemIn(path, shapeAt(point)) ?? { path, mayBeMissing }
}

function shapeAt(point: Pick<Point, 'name'> | undefined): Shape {
  const fields = point && inputFields(point)
  if (fields === undefined) return envelope
  const input = fields.map((field) => [field, 'anything'] as const)
  return { ...envelope, input: Object.fromEntries(input) }
}

function problemIn(
  path: readonly string[],
  root: Shape,
): TemplateProblem | undefined {
  let shape = root
  for (const [index, key] of path.entries()) {
    if (shape === 'anything') return undefined
    const where = path.slice(0, index).join('.') || 'the envelope'
    if (shape === 'value') {
      return { problem: `looks for "${key}" in ${where}, which has no parts` }
    }
    const next: Shape | undefined = Object.hasOwn(shape, key)
      ? shape[key]
      : undefined
    if (next === undefined) return unknownKey(key, where, Object.keys(shape))
    shape = next
  }
  return undefined
}

/** Nobody means a name of ours by one that is much longer. */
const maxNameLength = 64

function unknownKey(
  key: string,
  where: string,
  known: readonly string[],
): TemplateProblem {
  const isLong = key.length > maxNameLength
  const suggestion = isLong ? undefined : nearestName(key, known)
  const what = `looks for "${key.slice(0, maxNameLength)}" in ${where}`
  if (suggestion === undefined) {
    return { problem: `${what}, which has only: ${known.join(', ')}` }
  }
  return { problem: `${what}; did you mean "${suggestion}"?`, suggestion }
}
