import { timeoutMsOf } from '../claude-code/timeouts.ts'
import type {
  Dialect,
  DialectName,
  ForeignCommand,
  ForeignHook,
  Source,
} from '../dialect.ts'
import type { Finding } from '../finding.ts'
import { loadRegexEngine } from '../foreign-regex.ts'
import { checkCommand } from './command-rules.ts'
import { checkEntry } from './entry-rules.ts'
import { checkKeys } from './key-rules.ts'
import { checkMatcher } from './matcher-rules.ts'
import { placed, type Remark, remark } from './remark.ts'
import { scriptPathOf } from './script-path.ts'
import { checkCopilotScript, checkScript } from './script-rules.ts'

/** A script as it is on disk. */
export interface Script {
  readonly text: string
  readonly isExecutable: boolean
}

export interface LintOptions {
  readonly dialect: Dialect
  readonly file: string
  readonly layer?: Source['layer']
  readonly plugin?: Source['plugin']
  /** Where relative scripts are; without it they are not looked at. */
  readonly projectDir?: string
  /** Undefined: there is no such file. Without it scripts are not looked at. */
  readonly readScript?: (path: string) => Promise<Script | undefined>
}

/** Everything in a hook file that will not do what its author thinks. */
export async function lintHookFile(
  text: string,
  options: LintOptions,
): Promise<readonly Finding[]> {
  const { dialect, file, layer = 'project', plugin } = options
  const source: Source = { file, layer, ...(plugin && { plugin }) }
  const { hooks, findings } = dialect.readFile(text, source)
  const isOurs = dialect.name === 'claude-code'
  const regex = await loadRegexEngine()
  const perHook = await Promise.all(
    hooks.map(async (hook) => {
      const own = isOurs
        ? [...checkMatcher(hook, regex), ...checkEntry(hook, regex)]
        : []
      const { handler } = hook
      const more =
        handler.type === 'command'
          ? await checkProgram(hook, handler, options)
          : []
      return placed([...own, ...more], hook)
    }),
  )
  const all = [
    ...findings,
    ...(isOurs ? checkKeys(text, file) : []),
    ...perHook.flat(),
    ...doubles(hooks, dialect.name),
  ]
  return all.toSorted(
    (a, b) => a.place.line - b.place.line || a.place.column - b.place.column,
  )
}

async function checkProgram(
  hook: ForeignHook,
  command: ForeignCommand,
  { dialect, projectDir, readScript }: LintOptions,
): Promise<readonly Remark[]> {
  const remarks = [
    ...checkCommand(command, dialect.name),
    ...checkText(command.command, hook),
  ]
  if (projectDir === undefined || readScript === undefined) return remarks
  const found = scriptPathOf(hook, command, projectDir)
  if (found === undefined) return remarks
  const script = await readScript(found.path)
  if (script === undefined) {
    const message = found.isProgram
      ? `The script does not exist, so that the hook fails each time, and ${effectOf(hook)}.`
      : 'The script does not exist. Some interpreters exit with 2 then, which blocks everything.'
    return [...remarks, remark('error', 'missing-script', message)]
  }
  return [
    ...remarks,
    ...(found.isProgram ? checkStart(script, hook) : []),
    ...checkLines(script),
    ...checkText(script.text, hook),
  ]
}

/** What is known of the scripts of a product. */
function checkText(
  text: string,
  { dialect, event }: ForeignHook,
): readonly Remark[] {
  if (dialect === 'claude-code') return checkScript(text, event)
  return dialect === 'copilot' ? checkCopilotScript(text) : []
}

/** What comes of a hook that cannot begin. */
function effectOf({ dialect, event, flags }: ForeignHook): string {
  const isClosed =
    flags['failClosed'] === true ||
    flags['onFailure'] === 'block' ||
    (dialect === 'copilot' && /^preToolUse$/i.test(event))
  return isClosed ? 'all is blocked' : 'all goes on'
}

function checkStart(
  { text, isExecutable }: Script,
  hook: ForeignHook,
): readonly Remark[] {
  const remarks: Remark[] = []
  if (!isExecutable) {
    const message = `The script may not be executed, so that the hook fails each time, and ${effectOf(hook)}.`
    remarks.push(remark('error', 'not-executable', message, 'chmod +x'))
  }
  if (!text.startsWith('#!')) {
    const message = 'The script does not say in its first line what runs it.'
    remarks.push(
      remark('warning', 'no-shebang', message, '#!/usr/bin/env bash'),
    )
  }
  return remarks
}

function checkLines({ text }: Script): readonly Remark[] {
  const [first = ''] = text.split('\n', 1)
  if (!first.startsWith('#!') || !first.endsWith('\r')) return []
  const message =
    'The lines of the script end as on Windows, so that its interpreter is not found.'
  return [remark('error', 'line-ends', message, 'dos2unix')]
}

/** What makes two hooks with one command differ, in products that compare them. */
const compared: Partial<
  Record<DialectName, (hook: ForeignHook) => readonly unknown[]>
> = {
  'claude-code': (hook) => [
    timeoutMsOf(hook, [], { env: {} }),
    hook.flags['if'],
    hook.flags['onFailure'] === 'block',
    hook.flags['async'] === true,
    hook.flags['asyncRewake'] === true,
    hook.flags['continueOnBlock'] === true,
  ],
  gemini: ({ flags }) => [flags['name']],
}

function doubles(
  hooks: readonly ForeignHook[],
  dialect: DialectName,
): readonly Finding[] {
  const more = compared[dialect]
  if (more === undefined) return []
  const seen = new Map<string, ForeignHook>()
  return hooks.flatMap((hook) => {
    const { event, matcher = '', handler, source, place } = hook
    const key = JSON.stringify([event, matcher, handler, ...more(hook)])
    const first = seen.get(key)
    if (first === undefined) {
      seen.set(key, hook)
      return []
    }
    const message = `The same hook stands in line ${first.place.line}; it runs once.`
    const finding = remark('note', 'duplicate-handler', message)
    return [{ ...finding, file: source.file, place }]
  })
}
