import { homedir } from 'node:os'
import { ask, compileCondition, defineHook, proceed, reject } from 'hookline'
import { type SealedCall, toolGuard } from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import { AgentError } from '../../index.ts'
import { compilePathPattern } from '../../paths/path-pattern.ts'
import { isTold, isWithin, realFolders } from '../../paths/real-path.ts'
import { meaningsIn } from '../../paths/start-folder.ts'
import { startFolders } from '../shared/rules/start-folders.ts'
import { problemOfRule } from '../shared/shell/command-rule.ts'
import { matchAll, matchAny } from '../shared/shell/judge-reading.ts'
import { readShell } from '../shared/shell/read-shell.ts'
import { compileRules } from '../shared/shell/rule-book.ts'
import { type Certainty, strongest, weakest } from '../shared/shell/word.ts'
import {
  type CommandCondition,
  type PathCondition,
  type ToolRule,
  toolPolicyOptions,
} from './tool-policy-options.ts'
import { isHostName, matchUrl, type UrlCondition } from './url-match.ts'

/** A condition on a call: `maybe` counts against it. */
type Check = (
  call: SealedCall,
  cwd: string | undefined,
) => Certainty | Promise<Certainty>

/** Rules about calls of tools; the first one that matches decides. */
export const toolPolicy = defineHooks({
  name: 'tool-policy',
  description: 'Allows, denies or asks by tool, command, path and address.',
  options: toolPolicyOptions,
  create({ rules = [], otherwise = 'ask' }, { name }) {
    const compiled = rules.map((rule) => ({ rule, check: compileChecks(rule) }))
    const guard = defineHook({
      name,
      on: toolGuard,
      handler: { version: '1' },
      async run(call, { scope }) {
        for (const { rule, check } of compiled) {
          const fits = await check(call, scope.cwd)
          const isMatch = fits === 'yes' || (fits === 'maybe' && isStrict(rule))
          if (isMatch) return answerOf(rule.decision, call.tool, rule.reason)
        }
        return answerOf(otherwise, call.tool, 'No rule allows it.')
      },
    })
    return [guard]
  },
})

const isStrict = ({ decision }: ToolRule) => decision !== 'allow'

function answerOf(
  decision: ToolRule['decision'],
  tool: string,
  reason?: string,
) {
  if (decision === 'allow') return proceed
  const why = reason ?? 'A rule says so.'
  if (decision === 'ask') return ask(`May "${tool}" be called so? ${why}`)
  return reject(`This call of "${tool}" is not allowed: ${why}`)
}

/** All that a rule says has to hold. */
function compileChecks(rule: ToolRule): Check {
  const { tools = ['*'], args = {}, command, path, url } = rule
  const isTool = compileCondition(tools)
  const checks: Check[] = Object.entries(args).map(([key, pattern]) => {
    const fits = compileCondition(pattern)
    return each(key, rule, (value) => {
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
      return isPlain ? certain(fits(String(value))) : 'maybe'
    })
  })
  if (command) checks.push(checkCommand(command, rule))
  if (path) checks.push(checkPath(path, rule))
  if (url) {
    checkHosts(url)
    checks.push(each(url.argument, rule, (value) => matchUrl(value, url)))
  }
  return async (call, cwd) => {
    if (!isTool(call.tool)) return 'no'
    const found: Certainty[] = []
    for (const check of checks) {
      const one = await check(call, cwd)
      if (one === 'no') return 'no'
      found.push(one)
    }
    return weakest(found)
  }
}

/** What is no host would match nothing, and a denial would be none. */
function checkHosts({ hosts = [] }: UrlCondition): void {
  const wrong = hosts.find((host) => !isHostName(host))
  if (wrong === undefined) return
  const message = `"${wrong}" in "hosts" is no host, such as example.com.`
  throw new AgentError('invalid-config', message)
}

const certain = (holds: boolean): Certainty => (holds ? 'yes' : 'no')

/** A list fits a denial by one of its entries, and a permission by all. */
function each(
  key: string,
  rule: ToolRule,
  check: (
    value: unknown,
    cwd: string | undefined,
    call: SealedCall,
  ) => Certainty | Promise<Certainty>,
): Check {
  return async (call, cwd) => {
    const { args } = call
    if (!Object.hasOwn(args, key)) return 'no'
    const value = args[key]
    const all = Array.isArray(value) ? value : [value]
    if (all.length === 0) return 'maybe'
    const found = await Promise.all(
      all.map(async (one) => await check(one, cwd, call)),
    )
    return isStrict(rule) ? strongest(found) : weakest(found)
  }
}

function checkCommand(
  { argument = 'command', is }: CommandCondition,
  rule: ToolRule,
): Check {
  for (const pattern of is) {
    const problem = problemOfRule(pattern)
    if (problem === undefined) continue
    const message = `The pattern "${pattern}" is none: ${problem}.`
    throw new AgentError('invalid-config', message)
  }
  const patterns = compileRules(is)
  return each(argument, rule, (value, cwd, { args }) => {
    if (typeof value !== 'string') return 'maybe'
    const reading = readShell(value, startFolders(args, cwd))
    if (!isStrict(rule)) return certain(matchAll(reading, patterns))
    const { certainty } = matchAny(reading, patterns)
    return certainty === 'no' && reading.unknown.length > 0
      ? 'maybe'
      : certainty
  })
}

function checkPath(
  { argument, within, outside, is }: PathCondition,
  rule: ToolRule,
): Check {
  const patterns = is?.map((one) => compilePathPattern(one, homedir()))
  return each(argument, rule, async (value, cwd, { args }) => {
    const judged = [argument]
    const meanings = await meaningsIn(value, { cwd, args, judged })
    if (meanings.length === 0) return 'maybe'
    const inside = await realFolders(within ?? [], cwd)
    const apart = await realFolders(outside ?? [], cwd)
    const here = await realFolders(['.'], cwd)
    const isIn = (folders: readonly string[]) => (path: string) =>
      folders.some((folder) => isWithin(folder, path))
    const isAllTold = (folders: readonly string[]) =>
      folders.every((folder) => isTold(folder, cwd))
    const isWithinThem = ofMeanings(meanings, isIn(inside))
    const isApart = ofMeanings(meanings, (path) => !isIn(apart)(path))
    return weakest([
      within ? unless(isAllTold(within), 'no', isWithinThem) : 'yes',
      outside ? unless(isAllTold(outside), 'yes', isApart) : 'yes',
      patterns
        ? ofMeanings(meanings, (path) =>
            patterns.some((fits) => fits(path, here)),
          )
        : 'yes',
    ])
  })
}

/** What another folder could change is not sure while one cannot be told. */
function unless(
  isAllTold: boolean,
  changeable: Certainty,
  known: Certainty,
): Certainty {
  return known === changeable && !isAllTold ? 'maybe' : known
}

/** What holds for one meaning of a path and not for another is not sure. */
function ofMeanings(
  meanings: readonly string[],
  holds: (path: string) => boolean,
): Certainty {
  const held = meanings.filter(holds).length
  if (held === meanings.length) return 'yes'
  return held === 0 ? 'no' : 'maybe'
}
