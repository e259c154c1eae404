import { events, eventsWithIf } from '../claude-code/events.ts'
import { readClaudeMatcher } from '../claude-code/matcher.ts'
import { isRule } from '../claude-code/permission-rule.ts'
import type { ForeignHook } from '../dialect.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import { type Remark, remark } from './remark.ts'

/** What else an entry of Claude Code says without the effect it seems to have. */
export function checkEntry(
  hook: ForeignHook,
  regex: RegexEngine,
): readonly Remark[] {
  return [
    ...checkCondition(hook, regex),
    ...checkTime(hook),
    ...checkHandler(hook),
    ...checkFlags(hook),
  ]
}

function checkCondition(
  { event, matcher, flags }: ForeignHook,
  regex: RegexEngine,
): readonly Remark[] {
  const rule = flags['if']
  if (rule === undefined) return []
  if (!eventsWithIf.has(event)) {
    const message = `"if" is looked at for calls of tools only: at ${event} a hook that has one never runs.`
    return [remark('error', 'if-never', message, 'Leave it out.')]
  }
  if (typeof rule !== 'string' || !isRule(rule)) {
    const message =
      'The "if" is no permission rule, so that the hook runs every time.'
    return [remark('warning', 'bad-if', message, '"if": "Bash(git *)"')]
  }
  const [, tool = ''] = /^\s*([\w-]+)/.exec(rule) ?? []
  const read = readClaudeMatcher(matcher, event, regex)
  if (read.type !== 'names' || read.names.includes(tool)) return []
  const message = `The matcher does not let "${tool}" pass, which the "if" wants, so that the hook never runs.`
  return [remark('error', 'if-mismatch', message, `"matcher": "${tool}"`)]
}

function checkTime({ flags }: ForeignHook): readonly Remark[] {
  const { timeout } = flags
  if (timeout === undefined) return []
  if (typeof timeout !== 'number' || !(timeout > 0)) {
    const message =
      '"timeout" is no number of seconds, so that the default holds.'
    return [remark('warning', 'bad-timeout', message, '"timeout": 30')]
  }
  if (timeout < 1_000) return []
  const message = `A "timeout" of ${timeout} seconds is most likely meant as milliseconds.`
  const suggestion = `"timeout": ${Math.ceil(timeout / 1_000)}`
  return [remark('warning', 'timeout-unit', message, suggestion)]
}

function checkHandler({ event, handler }: ForeignHook): readonly Remark[] {
  const { takesPrompts, refusesHttp, moments = [] } = events[event] ?? {}
  if (moments.length === 0) return []
  if (handler.type === 'prompt' && !takesPrompts) {
    const message = `The product does not ask models at ${event}; this one is asked here all the same.`
    return [remark('warning', 'handler-event', message)]
  }
  if (handler.type === 'http' && refusesHttp) {
    const message = `The product makes no requests at ${event}; here it is made.`
    return [remark('warning', 'handler-event', message)]
  }
  if (handler.type !== 'http') return []
  const used = Object.values(handler.headers)
    .flatMap((text) => [...text.matchAll(/\$\{?([A-Za-z_]\w*)/g)])
    .map(([, name = '']) => name)
    .filter((name) => !handler.allowedEnv.includes(name))
  return [...new Set(used)].map((name) =>
    remark(
      'error',
      'header-variable',
      `A header uses "${name}", which "allowedEnvVars" does not name, so that it is sent empty.`,
      `"allowedEnvVars": ["${name}"]`,
    ),
  )
}

const canRefuse: ReadonlySet<string> = new Set(['deny', 'keep-going'])

function checkFlags({ event, flags, handler }: ForeignHook): readonly Remark[] {
  const remarks: Remark[] = []
  const { block = 'ignored' } = events[event] ?? {}
  const isAsync = flags['async'] === true || flags['asyncRewake'] === true
  if (flags['once'] !== undefined) {
    const message =
      '"once" counts only in the front matter of a skill; here the hook runs every time.'
    remarks.push(remark('warning', 'once-ignored', message))
  }
  if (isAsync && canRefuse.has(block)) {
    const message = `Nobody waits for an asynchronous hook, so that it can block nothing at ${event}.`
    remarks.push(remark('note', 'async-gate', message))
  }
  if (flags['onFailure'] === 'block') {
    const isIdle = isAsync || block !== 'deny' || handler.type === 'prompt'
    const message = '"onFailure" has no effect here.'
    if (isIdle) remarks.push(remark('warning', 'on-failure-ignored', message))
  } else if (
    flags['onFailure'] !== undefined &&
    flags['onFailure'] !== 'continue'
  ) {
    const message =
      '"onFailure" is neither "continue" nor "block", so that failures pass.'
    remarks.push(remark('error', 'bad-value', message, '"onFailure": "block"'))
  }
  const { shell } = flags
  if (shell !== undefined && shell !== 'bash' && shell !== 'powershell') {
    const message = '"shell" is neither "bash" nor "powershell"; bash is used.'
    remarks.push(remark('warning', 'bad-value', message))
  }
  return remarks
}
