import type { MatchEngines } from 'hookline'
import type { AgentScope, Grant, ToolCall } from 'hookline/lifecycle'
import {
  compileArgsTest,
  compileNameTest,
  compileSafetyTest,
  type Test,
} from './conditions.ts'
import { checkKeys, configError, readWord } from './config-error.ts'
import { configuredLimits, limitKeys } from './configured-limits.ts'
import { makeGrant } from './grants.ts'
import { intersectLimits, type Limits, type SomeLimits } from './limits.ts'
import type { PolicyRule } from './policy-rule.ts'
import { decisions, type Verdict } from './verdict.ts'

export interface CompiledRule {
  /** Whether it is about such a call, whoever makes it. */
  fits(call: ToolCall): boolean
  /** Whom it means: this agent, only one above it, or neither. */
  standing(scope: AgentScope): 'own' | 'inherited' | 'none'
  /** What it gives where it is the only rule. */
  readonly grant: Grant
  readonly limits: SomeLimits
}

export interface RuleOptions {
  readonly index: number
  /** The limits of the policy. */
  readonly base: Limits
  readonly match: Partial<MatchEngines>
}

/** Compiles a rule once; whatever cannot work is an error here. */
export function compileRule(
  rule: PolicyRule,
  { index, base, match }: RuleOptions,
): CompiledRule {
  const at = `rules[${index}]`
  if (typeof rule !== 'object' || rule === null) {
    throw configError(at, 'is not a rule')
  }
  checkKeys(rule, ruleKeys, `${at}.`)
  const limits = configuredLimits(rule, `${at}.`)
  const verdict = readRuleVerdict(rule, at)
  const compile = (key: keyof PolicyRule, compileTest: CompileTest) =>
    // One that is set to undefined is a slip; without it the rule fits all.
    Object.hasOwn(rule, key)
      ? compileTest(rule[key], { key: `${at}.${key}`, match })
      : undefined
  const safety = compile('safety', compileSafetyTest)
  const tool = compile('tool', compileNameTest)
  const owner = compile('owner', compileNameTest)
  const args = compile('args', compileArgsTest)
  return {
    fits: (call) =>
      (safety?.(call.safety) ?? true) &&
      (tool?.(call.tool) ?? true) &&
      (owner?.(call.owner) ?? true) &&
      (args?.(call.args) ?? true),
    standing: createStanding(compile('agent', compileNameTest)),
    grant: makeGrant(verdict, intersectLimits(base, limits)),
    limits,
  }
}

type CompileTest = typeof compileNameTest

const ruleKeys = [
  'tool',
  'owner',
  'safety',
  'agent',
  'args',
  'decision',
  'reason',
  ...limitKeys,
]

function readRuleVerdict(rule: PolicyRule, at: string): Verdict {
  const decision = readWord(rule.decision, decisions, `${at}.decision`)
  const given: unknown = rule.reason
  if (given !== undefined && (typeof given !== 'string' || !given.trim())) {
    throw configError(`${at}.reason`, 'is not text with something in it')
  }
  if (decision === 'allow') return { decision }
  return { decision, reason: given ?? ruleReasons[decision](at) }
}

const ruleReasons = {
  deny: (at: string) =>
    `The policy's ${at} denies this call. Do not retry it; find another way.`,
  ask: (at: string) => `The policy's ${at} asks a person before this call.`,
}

function createStanding(test: Test | undefined): CompiledRule['standing'] {
  if (test === undefined) return () => 'own'
  return ({ agent, parents }) => {
    if (test(agent)) return 'own'
    return parents?.some((parent) => test(parent)) ? 'inherited' : 'none'
  }
}
