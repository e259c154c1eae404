import type { MatchEngines } from 'hookline'
import type { NetworkAccess, Sandbox } from 'hookline/lifecycle'
import type { PolicyPort } from '../ports/policy.ts'
import { compileRule } from './compile-rule.ts'
import { compileNameTest } from './conditions.ts'
import { checkKeys, configError, readWord } from './config-error.ts'
import { configuredLimits, limitKeys } from './configured-limits.ts'
import { judgeCall } from './judge-call.ts'
import type { Limits } from './limits.ts'
import { modeGrants, type PolicyMode, policyModes } from './modes.ts'
import type { PolicyRule } from './policy-rule.ts'

export interface PolicyOptions {
  /** What holds where no rule fits. Default: `ask-writes`. */
  readonly mode?: PolicyMode
  readonly rules?: readonly PolicyRule[]
  /** Default: `workspace`; `read_only` in the mode `read-only`. */
  readonly sandbox?: Sandbox
  /** Default: the working folder of the call, `.`. */
  readonly roots?: readonly string[]
  /** Default: `none`, for network tools too. */
  readonly network?: NetworkAccess
  /** Default: two minutes. */
  readonly timeoutMs?: number
  /** Default: 256 KiB. */
  readonly maxOutputBytes?: number
  /** Names or globs of tools that run only if a hook has judged the call. */
  readonly gated?: readonly string[]
  readonly match?: Partial<MatchEngines>
}

/**
 * A policy of rules over a mode. Of the rules that fit a call, deny counts
 * before ask before allow, whatever their order, and the limits of all of them
 * are intersected. Where none fits, the mode decides by the safety class.
 * `read-only` is a ceiling: no rule lifts it. All is compiled here, once.
 */
export function createPolicy(options: PolicyOptions = {}): PolicyPort {
  checkKeys(options, optionKeys, '')
  const { rules = [], gated = [], match = {} } = options
  const { mode: word = 'ask-writes' } = options
  const mode = readWord(word, policyModes, 'mode')
  const base = readBase(options, mode)
  if (!Array.isArray(rules)) throw configError('rules', 'is not a list')
  const isGated = compileGated(gated, match)
  return {
    grant: judgeCall({
      isCeiling: mode === 'read-only',
      modes: modeGrants(mode, base),
      rules: rules.map((rule, index) =>
        compileRule(rule, { index, base, match }),
      ),
    }),
    needsGate: ({ tool }) => isGated(tool),
  }
}

const optionKeys = ['mode', 'rules', 'gated', 'match', ...limitKeys]

function readBase(options: PolicyOptions, mode: PolicyMode): Limits {
  const given = configuredLimits(options, '')
  const isReadOnly = mode === 'read-only'
  return {
    sandbox: given.sandbox ?? (isReadOnly ? 'read_only' : 'workspace'),
    roots: given.roots ?? Object.freeze(['.']),
    network: given.network ?? 'none',
    timeoutMs: given.timeoutMs ?? 120_000,
    maxOutputBytes: given.maxOutputBytes ?? 262_144,
  }
}

function compileGated(
  gated: readonly string[],
  match: Partial<MatchEngines>,
): (tool: string) => boolean {
  const isText = (pattern: unknown) => typeof pattern === 'string'
  if (!Array.isArray(gated) || !gated.every(isText)) {
    throw configError('gated', 'is not a list of names and patterns')
  }
  if (gated.length === 0) return () => false
  return compileNameTest(gated, { key: 'gated', match })
}
