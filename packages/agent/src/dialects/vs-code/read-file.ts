import type { JsonObject } from 'hookline/lifecycle'
import type { ForeignHandler, HookFile, Source } from '../dialect.ts'
import { eventPoints } from '../kinds.ts'
import {
  checkNoArgs,
  checkSeconds,
  environmentIn,
  type FileRules,
  readHooksFile,
  type Surprise,
  textIn,
  timeIn,
} from '../read-hooks-file.ts'
import { moments } from './moments.ts'

/** VS Code also reads files that were written for Copilot. */
const copilotNames: Readonly<Record<string, string>> = {
  sessionStart: 'SessionStart',
  userPromptSubmitted: 'UserPromptSubmit',
  preToolUse: 'PreToolUse',
  postToolUse: 'PostToolUse',
  preCompact: 'PreCompact',
  subagentStart: 'SubagentStart',
  subagentStop: 'SubagentStop',
  agentStop: 'Stop',
}

export const events = eventPoints(moments)

const rules: FileRules = {
  dialect: 'vs-code',
  events: {
    ...events,
    ...Object.fromEntries(
      Object.entries(copilotNames).map(([name, event]) => [
        name,
        events[event] ?? [],
      ]),
    ),
  },
  layout: 'either',
  settings: ['version'],
  handler: handlerOf,
  timeoutMs: (entry) =>
    timeIn(entry, 'timeout', 1_000) ?? timeIn(entry, 'timeoutSec', 1_000),
  check: checkEntry,
}

/** Reads a hook file of VS Code; the names of Copilot become its own. */
export function readFile(text: string, source: Source): HookFile {
  const file = readHooksFile(text, source, rules)
  const hooks = file.hooks.map((hook) => ({
    ...hook,
    event: copilotNames[hook.event] ?? hook.event,
  }))
  return { ...file, hooks }
}

const systems: Readonly<Record<string, readonly string[]>> = {
  win32: ['windows', 'powershell'],
  darwin: ['osx', 'bash'],
  linux: ['linux', 'bash'],
}

function handlerOf(entry: JsonObject): ForeignHandler | string {
  const { type = 'command' } = entry
  if (type !== 'command') return `has an unknown type: ${JSON.stringify(type)}`
  const keys = [...(systems[process.platform] ?? ['bash']), 'command']
  const command = keys.map((key) => textIn(entry, key)).find(Boolean)
  if (command === undefined) return 'has no command for this system'
  const env = environmentIn(entry)
  const cwd = textIn(entry, 'cwd')
  return {
    type,
    command,
    ...(env !== undefined && { env }),
    ...(cwd !== undefined && { cwd }),
  }
}

function checkEntry(entry: JsonObject): readonly Surprise[] {
  const matcher = textIn(entry, 'matcher')
  const isIgnored = matcher !== undefined && matcher !== '*'
  const ignored: readonly Surprise[] = isIgnored
    ? [
        {
          severity: 'warning',
          code: 'matcher-ignored',
          message:
            'VS Code reads a matcher and ignores it, so that the hook runs for everything.',
        },
      ]
    : []
  return [
    ...ignored,
    ...checkNoArgs(entry, 'VS Code'),
    ...checkSeconds(entry, 'timeout'),
  ]
}
