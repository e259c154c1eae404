import type { HookDefinition } from '../handlers/definition.ts'
import { readTemplate } from '../handlers/prompt/compile-template.ts'
import { refuseKey } from './check-handler.ts'
import { type ConfigNode, entryOf } from './node.ts'
import type { PointRules } from './point-rules.ts'
import { hint, type ProblemCode, quote } from './problem.ts'
import { below, type Reading, refuse } from './shape/shape.ts'

interface Written {
  readonly node: ConfigNode
  readonly reading: Reading
}

/**
 * What the engine would refuse at its point, with the place where it is
 * written. The definition may be incomplete: what is wrong with it is reported.
 */
export function checkAtPoint(
  definition: HookDefinition,
  points: ReadonlyMap<string, PointRules>,
  written: Written,
): void {
  const { on } = definition
  if (typeof on !== 'string') return
  const rules = points.get(on)
  if (rules === undefined) {
    const known = [...points.keys()]
    const suggestion = written.reading.report.nearest(on, known)
    const problem = `is ${quote(on)}, which is no point${hint(suggestion, known)}`
    const code = 'unknown-point'
    const { node, reading } = written
    refuseKey(node, reading, { key: 'on', code, problem, suggestion })
    return
  }
  checkFields(rules, written)
  checkCapabilities(definition, rules, written)
  checkTemplate(definition, rules, written)
  checkKeys(definition, rules, (key, problem, code = 'not-at-point') => {
    refuseKey(written.node, written.reading, { key, code, problem })
  })
}

/** Whether nobody waits for it, so that its answer cannot count. */
export function isObserver(
  { execution }: Pick<HookDefinition, 'execution'>,
  rules: Pick<PointRules, 'executions'> | undefined,
): boolean {
  if (execution === 'record' || execution === 'background') return true
  return (
    execution === undefined && rules?.executions.includes('blocking') === false
  )
}

function checkFields(
  { name, fields }: PointRules,
  { node, reading }: Written,
): void {
  const match = entryOf(node, 'match')
  if (match?.type !== 'map') return
  for (const { key, keyAt } of match.entries) {
    if (fields.includes(key)) continue
    const suggestion = reading.report.nearest(key, fields)
    const message = `There is no ${quote(key)} at ${name} to match by${hint(suggestion, fields)}`
    const path = [...reading.path, 'match', key]
    const code = 'unknown-field'
    reading.report.add({ code, at: keyAt, path, message, suggestion })
  }
}

function checkCapabilities(
  definition: HookDefinition,
  rules: PointRules,
  { node, reading }: Written,
): void {
  const list = entryOf(node, 'capabilities')
  if (list?.type !== 'list') return
  const isUnwaited = isObserver(definition, rules)
  for (const [index, item] of list.items.entries()) {
    if (item.type !== 'scalar' || typeof item.value !== 'string') continue
    const inside = below(below(reading, 'capabilities'), index)
    const { value } = item
    if (!rules.capabilities.includes(value)) {
      const suggestion = reading.report.nearest(value, rules.capabilities)
      const message = `The point ${rules.name} takes no ${quote(value)}${hint(suggestion, rules.capabilities)}`
      const code = 'unknown-capability'
      refuse(item, inside, { code, message, suggestion })
    } else if (isUnwaited && !rules.unwaited.includes(value)) {
      const message = `Nobody waits for this hook, so that it cannot contribute ${quote(value)}; make it blocking.`
      refuse(item, inside, { code: 'not-at-point', message })
    }
  }
}

/** What of an envelope it looks for depends on the point. */
function checkTemplate(
  { handler }: HookDefinition,
  rules: PointRules,
  { node, reading }: Written,
): void {
  const prompt = entryOf(node, 'handler')
  if (handler?.type !== 'prompt' || prompt === undefined) return
  const { template } = handler
  if (typeof template !== 'string') return
  const read = readTemplate(template, rules)
  if (!('problem' in read)) return
  const code = 'wrong-value'
  const inside = below(reading, 'handler')
  refuseKey(prompt, inside, { key: 'template', code, ...read })
}

type Refuse = (key: string, problem: string, code?: ProblemCode) => void

function checkKeys(
  definition: HookDefinition,
  rules: PointRules,
  refuseAt: Refuse,
): void {
  const { execution, writes, holdBack, idempotent, retry } = definition
  const isUnwaited = isObserver(definition, rules)
  if (execution !== undefined && !rules.executions.includes(execution)) {
    const problem = `is ${execution}, but ${rules.name} only has observers; use record or background`
    refuseAt('execution', problem)
  }
  if (writes && !rules.canWrite) {
    refuseAt('writes', `is true, but nothing can be changed at ${rules.name}`)
  }
  if (writes && isUnwaited) {
    refuseAt('writes', 'is true, but nobody waits for this hook', 'conflict')
  }
  if (holdBack !== undefined && !rules.isStreamed) {
    refuseAt('holdBack', `is set, but nothing is streamed at ${rules.name}`)
  } else if (holdBack !== undefined && isUnwaited) {
    refuseAt('holdBack', 'is set, but nobody waits for this hook', 'conflict')
  }
  if (idempotent && execution !== 'background') {
    refuseAt('idempotent', 'is for background hooks only', 'conflict')
  }
  if (retry !== undefined && !idempotent) {
    refuseAt('retry', 'needs `idempotent: true`', 'conflict')
  }
  checkFailure(definition, rules, refuseAt)
}

function checkFailure(
  definition: HookDefinition,
  rules: PointRules,
  refuseAt: Refuse,
): void {
  const { onFailure, writes, capabilities = [] } = definition
  if (onFailure === undefined) return
  const key = 'onFailure'
  if (onFailure !== 'open' && isObserver(definition, rules)) {
    refuseAt(key, 'can only be open: nobody waits for this hook', 'conflict')
    return
  }
  if (onFailure === 'closed' && !rules.canReject) {
    const problem = `is closed, but nothing can be rejected at ${rules.name}; use open, required or a fallback`
    refuseAt(key, problem)
  }
  if (typeof onFailure !== 'object') return
  const { value, contributions = [] } = onFailure.fallback ?? {}
  if (value === undefined && contributions.length === 0) {
    refuseAt(key, 'has a fallback with nothing in it; use open', 'wrong-value')
  }
  if (value !== undefined && !writes) {
    const problem = 'has a fallback value, which needs `writes: true`'
    refuseAt(key, problem, 'conflict')
  }
  for (const { kind } of contributions) {
    if (capabilities.includes(kind)) continue
    const problem = `falls back on ${quote(kind)}, which \`capabilities\` does not name; add it there`
    refuseAt(key, problem, 'conflict')
  }
}
