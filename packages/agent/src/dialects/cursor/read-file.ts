import { dirname } from 'node:path'
import type { JsonObject } from 'hookline/lifecycle'
import { checkMatcher } from '../check-matcher.ts'
import type {
  ForeignHandler,
  ForeignHook,
  HookFile,
  Source,
} from '../dialect.ts'
import { eventPoints } from '../kinds.ts'
import {
  checkSeconds,
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
  dialect: 'cursor',
  events,
  layout: 'flat',
  settings: ['version'],
  handler: handlerOf,
  timeoutMs: (entry) => timeIn(entry, 'timeout', 1_000),
  check: checkEntry,
}

/** Reads a `hooks.json` of Cursor. */
export function readFile(text: string, source: Source): HookFile {
  const read = readHooksFile(text, source, rules)
  const file = { ...read, hooks: read.hooks.map(inItsFolder) }
  if (file.settings['version'] === 1 || file.findings.length > 0) return file
  const finding = {
    severity: 'warning' as const,
    code: 'no-version',
    file: source.file,
    place: { line: 1, column: 1 },
    message: 'Cursor wants a "version" of 1 in the file.',
    suggestion: '"version": 1',
  }
  return { ...file, findings: [...file.findings, finding] }
}

/** What is not the project's runs in the folder of its file. */
function inItsFolder(hook: ForeignHook): ForeignHook {
  const { handler, source } = hook
  const isProjects = source.layer === 'project' || source.layer === 'local'
  if (isProjects || handler.type !== 'command') return hook
  return { ...hook, handler: { ...handler, cwd: dirname(source.file) } }
}

function handlerOf(entry: JsonObject): ForeignHandler | string {
  const { type = 'command' } = entry
  if (type === 'prompt') {
    const prompt = textIn(entry, 'prompt')
    const model = textIn(entry, 'model')
    if (prompt === undefined) return 'has no prompt'
    return { type, prompt, ...(model !== undefined && { model }) }
  }
  if (type !== 'command') return `has an unknown type: ${JSON.stringify(type)}`
  const command = textIn(entry, 'command')
  return command === undefined ? 'has no command' : { type, command }
}

function checkEntry(entry: JsonObject, event: string): readonly Surprise[] {
  const isGrouped: readonly Surprise[] = Object.hasOwn(entry, 'hooks')
    ? [
        {
          severity: 'error',
          code: 'wrong-shape',
          message:
            'Cursor has no groups; write the handlers of "hooks" into the list itself.',
        },
      ]
    : []
  const isLoop = event === 'stop' || event === 'subagentStop'
  const loops: readonly Surprise[] =
    Object.hasOwn(entry, 'loop_limit') && !isLoop
      ? [
          {
            severity: 'note',
            code: 'unknown-key',
            message: `A "loop_limit" has no effect on ${event}.`,
          },
        ]
      : []
  const isCommand = event.endsWith('ShellExecution')
  const matcher = checkMatcher(entry, {
    product: 'Cursor',
    ifBroken: 'it has to be the very text',
    ...(!isCommand && { words: vocabulary }),
  })
  const times = checkSeconds(entry, 'timeout')
  return [...isGrouped, ...loops, ...matcher, ...times]
}
