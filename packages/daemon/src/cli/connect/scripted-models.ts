import { readFile } from 'node:fs/promises'
import type { Model, ModelRegistry } from '@hookline/agent'
import { CliError } from '../cli-error.ts'

const prefix = 'script:'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The model that `HOOKLINE_MODEL=script:<file>` asks for: it says what the file
 * says, step by step. Hooks that ask a model may then name a script of their
 * own. For tests and demonstrations; undefined: a real one. A script is read
 * when it is first asked for, as many a command never asks.
 */
export async function scriptedModels(
  env: Environment,
): Promise<ModelRegistry | undefined> {
  if (!isScript(nameIn(env))) return undefined
  const { createModelRegistry } = await import('@hookline/agent')
  const others = createModelRegistry()
  const scripts = new Map<string, Promise<Model>>()
  const resolve = (wanted: string) => {
    if (!wanted.startsWith(prefix)) return others.resolve(wanted)
    const script = scripts.get(wanted) ?? openScript(wanted)
    scripts.set(wanted, script)
    return script
  }
  return { resolve }
}

/** The same for whoever takes turns: what is wrong with it is said at once. */
export async function readyModels(
  env: Environment,
): Promise<ModelRegistry | undefined> {
  const models = await scriptedModels(env)
  await models?.resolve(nameIn(env))
  return models
}

export function isScript(model: string): boolean {
  return model.startsWith(prefix)
}

function nameIn(env: Environment): string {
  return env['HOOKLINE_MODEL']?.trim() ?? ''
}

async function openScript(name: string): Promise<Model> {
  const { parseScript, scriptedModel } = await import('@hookline/agent/testing')
  const text = await readScript(name.slice(prefix.length))
  return scriptedModel(await parseScript(text))
}

async function readScript(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const message = `The script "${file}" cannot be read.`
    const hint =
      'HOOKLINE_MODEL, or the model of a hook, names it after "script:".'
    throw new CliError('usage', message, { cause, hint })
  }
}
