import { readFile } from 'node:fs/promises'
import type { ModelRegistry } from '@hookline/agent'
import { CliError } from '../cli-error.ts'

const prefix = 'script:'

/**
 * The model that `HOOKLINE_MODEL=script:<file>` asks for: it says what the file
 * says, step by step. For tests and demonstrations; undefined: a real one.
 */
export async function scriptedModels(
  env: Readonly<Record<string, string | undefined>>,
): Promise<ModelRegistry | undefined> {
  const name = env['HOOKLINE_MODEL']?.trim() ?? ''
  if (!name.startsWith(prefix)) return undefined
  const file = name.slice(prefix.length)
  const [{ createModelRegistry }, { parseScript, scriptedModel }] =
    await Promise.all([
      import('@hookline/agent'),
      import('@hookline/agent/testing'),
    ])
  const script = await parseScript(await readScript(file))
  return createModelRegistry({ models: { [name]: scriptedModel(script) } })
}

async function readScript(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const message = `The script "${file}" cannot be read.`
    const hint = 'HOOKLINE_MODEL names it after "script:".'
    throw new CliError('usage', message, { cause, hint })
  }
}
