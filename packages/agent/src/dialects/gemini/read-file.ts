import type { JsonObject } from 'hookline/lifecycle'
import { checkMatcher } from '../check-matcher.ts'
import type {
  ForeignHandler,
  ForeignHook,
  HookFile,
  Source,
} from '../dialect.ts'
import { eventPoints } from '../kinds.ts'
import { isObject } from '../printed.ts'
import {
  environmentIn,
  type FileRules,
  readHooksFile,
  type Surprise,
  textIn,
  timeIn,
} from '../read-hooks-file.ts'
import { moments } from './moments.ts'
import { vocabulary } from './vocabulary.ts'

export const events = eventPoints(moments)

const rules: FileRules = {
  dialect: 'gemini',
  events,
  layout: 'groups',
  settings: ['hooksConfig', 'enabled', 'disabled', 'notifications'],
  handler: handlerOf,
  timeoutMs: (entry) => timeIn(entry, 'timeout', 1),
  check: checkEntry,
}

/** Reads a `settings.json` of Gemini CLI, or the `hooks.json` of an extension. */
export function readFile(text: string, source: Source): HookFile {
  const file = readHooksFile(text, source, rules)
  const config = file.settings['hooksConfig']
  const settings = { ...file.settings, ...(isObject(config) && config) }
  if (settings['enabled'] === false) return { ...file, settings, hooks: [] }
  const off = Array.isArray(settings['disabled']) ? settings['disabled'] : []
  const isOn = (hook: ForeignHook) =>
    !namesOf(hook).some((name) => off.includes(name))
  return { ...file, settings, hooks: file.hooks.filter(isOn) }
}

function namesOf({ flags, handler }: ForeignHook): readonly string[] {
  const name = textIn(flags, 'name')
  const command = handler.type === 'command' ? [handler.command] : []
  return name === undefined ? command : [name, ...command]
}

function handlerOf(entry: JsonObject): ForeignHandler | string {
  const { type = 'command' } = entry
  if (type !== 'command')
    return `has a type that Gemini CLI does not run: ${JSON.stringify(type)}`
  const command = textIn(entry, 'command')
  if (command === undefined) return 'has no command'
  const env = environmentIn(entry)
  return { type, command, ...(env !== undefined && { env }) }
}

function checkEntry(entry: JsonObject): readonly Surprise[] {
  const matcher = checkMatcher(entry, {
    product: 'Gemini CLI',
    ifBroken: 'it has to be the very name',
    words: vocabulary,
  })
  const { timeout } = entry
  if (typeof timeout !== 'number' || timeout >= 1_000) return matcher
  const message = `A "timeout" of ${timeout} is in milliseconds here, which is most likely not what is meant.`
  const suggestion = `"timeout": ${timeout * 1_000}`
  return [
    ...matcher,
    { severity: 'warning', code: 'timeout-unit', message, suggestion },
  ]
}
