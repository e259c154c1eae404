import type { ForeignHook } from '../dialect.ts'
import { readScript } from '../lint/read-script.ts'
import { scriptPathOf } from '../lint/script-path.ts'

/**
 * Copilot has given `toolArgs` as a text that holds JSON, and later as an
 * object (github/copilot-cli#3349). Scripts that parse it themselves get it as
 * they expect it; these are the ids of their hooks.
 */
export async function hooksThatParse(
  hooks: readonly ForeignHook[],
  projectDir: string,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    hooks.map(async (hook) => {
      const text = await programOf(hook, projectDir)
      return parsing.some((pattern) => pattern.test(text)) ? [hook.id] : []
    }),
  )
  return new Set(found.flat())
}

const parsing = [
  /toolArgs\b[^\n]{0,80}\bfromjson\b/,
  /json\.loads\([^\n]{0,80}tool_?args/i,
  /JSON\.parse\([^\n]{0,80}tool_?args/i,
  /toolArgs\b[^\n]{0,80}ConvertFrom-Json/i,
]

/** What can be known of the program: its command, and the script it names. */
async function programOf(
  hook: ForeignHook,
  projectDir: string,
): Promise<string> {
  const { handler } = hook
  if (handler.type !== 'command') return ''
  const script = scriptPathOf(hook, handler, projectDir)
  const read = script && (await readScript(script.path))
  return `${handler.command}\n${read?.text ?? ''}`
}
