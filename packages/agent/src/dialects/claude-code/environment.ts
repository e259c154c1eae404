import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { DialectParts, ForeignHook, PluginSource } from '../dialect.ts'
import type { Moment } from '../moment.ts'
import { sessionFileName } from '../session-file-name.ts'

type Variables = Readonly<Record<string, string>>

/** What the product sets for its hooks, beside what they inherit. */
export function environmentOf(
  { source: { plugin } }: ForeignHook,
  moment: Moment,
  parts: DialectParts,
): Variables {
  return {
    CLAUDE_PROJECT_DIR: parts.projectDir,
    CLAUDE_CODE_SESSION_ID: moment.sessionId,
    CLAUDECODE: '1',
    ...(plugin && pluginVariables(plugin, parts)),
    ...(moment.kind === 'session-start' &&
      envFileVariable(parts.dataDir, moment.sessionId)),
  }
}

/** What stands in commands as `${NAME}` for the product itself to replace. */
export function placeholdersOf(
  { source: { plugin } }: ForeignHook,
  parts: DialectParts,
): Variables {
  const { projectDir } = parts
  if (plugin === undefined) return { CLAUDE_PROJECT_DIR: projectDir }
  const { root, data = dataOf(plugin, parts) } = plugin
  return {
    CLAUDE_PROJECT_DIR: projectDir,
    CLAUDE_PLUGIN_ROOT: root,
    CLAUDE_PLUGIN_DATA: data,
  }
}

function pluginVariables(plugin: PluginSource, parts: DialectParts): Variables {
  const { root, data = dataOf(plugin, parts), options = {} } = plugin
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const named = Object.entries(options).map(([key, value]) => [
    `CLAUDE_PLUGIN_OPTION_${key.toUpperCase().replace(/\W/g, '_')}`,
    value,
  ])
  return {
    CLAUDE_PLUGIN_ROOT: root,
    CLAUDE_PLUGIN_DATA: data,
    ...Object.fromEntries(named),
  }
}

function dataOf({ name }: PluginSource, { dataDir }: DialectParts): string {
  return join(dataDir, 'plugins', name.replace(/[^\w.-]/g, '_'))
}

/**
 * The file that hooks append `export NAME=value` lines to. A shell tool that
 * reads it before each command gives the agent what they have set.
 */
export function envFileOf(dataDir: string, sessionId: string): string {
  return join(dataDir, 'env', `${sessionFileName(sessionId)}.sh`)
}

/** Scripts ask whether there is such a file: on a full disk there is none. */
function envFileVariable(dataDir: string, sessionId: string): Variables {
  const file = envFileOf(dataDir, sessionId)
  try {
    mkdirSync(join(dataDir, 'env'), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'a', 0o600))
    return { CLAUDE_ENV_FILE: file }
  } catch {
    return {}
  }
}
