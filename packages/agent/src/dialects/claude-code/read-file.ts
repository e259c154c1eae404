import type { JsonObject } from 'hookline/lifecycle'
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
  textIn,
  timeIn,
} from '../read-hooks-file.ts'
import { moments } from './events.ts'

export const events = eventPoints(moments)

const rules: FileRules = {
  dialect: 'claude-code',
  events,
  layout: 'groups',
  settings: [
    'disableAllHooks',
    'allowManagedHooksOnly',
    'allowedHttpHookUrls',
    'httpHookAllowedEnvVars',
    'description',
    'env',
  ],
  handler: handlerOf,
  timeoutMs: (entry) => timeIn(entry, 'timeout', 1_000),
}

/** Reads `settings.json`, `settings.local.json`, or a plugin's `hooks.json`. */
export function readFile(text: string, source: Source): HookFile {
  const { settings, ...file } = readHooksFile(text, source, rules)
  const { env: _, ...others } = settings
  const env = source.plugin === undefined ? environmentIn(settings) : undefined
  const hooks = env === undefined ? file.hooks : withEnv(file.hooks, env)
  return { ...file, hooks, settings: others }
}

/** What the product sets itself is not for a file to say. */
const ownVariables =
  /^CLAUDE(?:CODE$|_PROJECT_DIR$|_PLUGIN_|_ENV_FILE$|_CODE_SESSION_ID$)/

/** The variables of a settings file are those of its hooks, too. */
function withEnv(
  hooks: readonly ForeignHook[],
  given: Readonly<Record<string, string>>,
): readonly ForeignHook[] {
  const entries = Object.entries(given).filter(
    ([name]) => !ownVariables.test(name),
  )
  const env = Object.fromEntries(entries)
  return hooks.map((hook) => {
    const { handler } = hook
    if (handler.type !== 'command' || entries.length === 0) return hook
    return { ...hook, handler: { ...handler, env: { ...env, ...handler.env } } }
  })
}

/** The handler of an entry, or why it has none. */
function handlerOf(entry: JsonObject): ForeignHandler | string {
  const type = textIn(entry, 'type')
  switch (type) {
    case 'command':
      return commandOf(entry)
    case 'http':
      return requestOf(entry)
    case 'prompt': {
      const prompt = textIn(entry, 'prompt')
      const model = textIn(entry, 'model')
      if (prompt === undefined) return 'has no "prompt"'
      return { type, prompt, ...(model !== undefined && { model }) }
    }
    case 'mcp_tool': {
      const server = textIn(entry, 'server')
      const tool = textIn(entry, 'tool')
      if (server === undefined || tool === undefined) {
        return 'needs a "server" and a "tool"'
      }
      const input = isObject(entry['input']) ? entry['input'] : {}
      return { type, server, tool, input }
    }
    case 'agent':
      return 'is an agent, which is not run here; write a prompt or a command'
    case undefined:
      return 'has no "type"'
    default:
      return 'has an unknown "type"; there are command, http, prompt and mcp_tool'
  }
}

function commandOf(entry: JsonObject): ForeignHandler | string {
  const command = textIn(entry, 'command')
  if (command === undefined) return 'has no "command"'
  const { args, shell } = entry
  const env = environmentIn(entry)
  const isList =
    Array.isArray(args) && args.every((one) => typeof one === 'string')
  if (args !== undefined && !isList)
    return 'has "args" that are no list of texts'
  if (/[\0]/.test(command)) return 'has a "command" that holds a zero byte'
  return {
    type: 'command',
    command,
    ...(isList && { args }),
    ...((shell === 'powershell' || shell === 'bash') && { shell }),
    ...(env && { env }),
  }
}

function requestOf(entry: JsonObject): ForeignHandler | string {
  const url = textIn(entry, 'url')
  if (url === undefined || !URL.canParse(url)) return 'has no "url" that is one'
  const { headers, allowedEnvVars } = entry
  const texts = isObject(headers) ? Object.entries(headers) : []
  return {
    type: 'http',
    url,
    headers: Object.fromEntries(
      texts.flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as const] : [],
      ),
    ),
    allowedEnv: Array.isArray(allowedEnvVars)
      ? allowedEnvVars.filter((name) => typeof name === 'string')
      : [],
  }
}
