import type { JsonObject } from 'hookline/lifecycle'
import { checkMatcher } from '../check-matcher.ts'
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
import { capabilities } from './capabilities.ts'
import { isClaudeName, moments, ownNameOf } from './moments.ts'
import { requestIn } from './request.ts'
import { vocabulary } from './vocabulary.ts'

export const events = eventPoints(moments)

const rules: FileRules = {
  dialect: 'copilot',
  events,
  layout: 'either',
  settings: ['version', 'disableAllHooks'],
  handler: handlerOf,
  timeoutMs: (entry) =>
    timeIn(entry, 'timeoutSec', 1_000) ?? timeIn(entry, 'timeout', 1_000),
  check: checkEntry,
}

/** Reads a hook file of Copilot, or the `hooks` of its settings. */
export function readFile(text: string, source: Source): HookFile {
  const file = readHooksFile(text, source, rules)
  const isOff = file.settings['disableAllHooks'] === true
  // Hooks of the machine cannot be switched off.
  if (!isOff || source.layer === 'managed') return file
  return { ...file, hooks: [] }
}

function handlerOf(entry: JsonObject): ForeignHandler | string {
  const { type = 'command' } = entry
  if (type === 'http') return requestIn(entry)
  if (type === 'prompt') {
    return 'submits a prompt for the user, which is not done here'
  }
  if (type !== 'command') return `has an unknown type: ${JSON.stringify(type)}`
  const env = environmentIn(entry)
  const cwd = textIn(entry, 'cwd')
  const shared = {
    ...(env !== undefined && { env }),
    ...(cwd !== undefined && { cwd }),
  }
  const program = textIn(entry, 'exec')
  if (program !== undefined) {
    const given = Array.isArray(entry['args']) ? entry['args'] : []
    const args = given.filter((one) => typeof one === 'string')
    return { type, command: program, args, ...shared }
  }
  const isWindows = process.platform === 'win32'
  const own = textIn(entry, isWindows ? 'powershell' : 'bash')
  const command = own ?? textIn(entry, 'command')
  if (command === undefined) {
    return `has no command for this system ("bash" or "command")`
  }
  return {
    type,
    command,
    ...(isWindows && own !== undefined && { shell: 'powershell' as const }),
    ...shared,
  }
}

function checkEntry(entry: JsonObject, event: string): readonly Surprise[] {
  const own = ownNameOf(event)
  const surprises = [
    ...(isClaudeName(event) ? [] : checkStar(entry)),
    ...(entry['exec'] === undefined ? checkNoArgs(entry, 'Copilot') : []),
    ...checkMatcher(entry, {
      product: 'Copilot',
      ifBroken: 'the entry is skipped',
      ...(!isClaudeName(event) && { words: vocabulary }),
    }),
    ...checkSeconds(entry, 'timeoutSec'),
    ...checkSeconds(entry, 'timeout'),
  ]
  if (own !== 'userPromptSubmitted' || capabilities[own]?.length)
    return surprises
  const message = `Copilot drops what a hook of ${event} says; it can only watch.`
  return [...surprises, { severity: 'note', code: 'output-dropped', message }]
}

/** Only under a name of Claude Code's is it everything. */
function checkStar({ matcher }: JsonObject): readonly Surprise[] {
  if (matcher !== '*') return []
  const message =
    'The matcher "*" is no regular expression, so that the entry is skipped.'
  const suggestion = 'Leave it out, or write ".*".'
  return [{ severity: 'error', code: 'bad-matcher', message, suggestion }]
}
