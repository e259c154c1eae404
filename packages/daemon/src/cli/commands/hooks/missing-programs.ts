import { resolve } from 'node:path'
import {
  type ConfiguredHook,
  createTrust,
  type Finding,
  sourceOf,
} from '@hookline/agent/config'
import { checkCommand, isUse } from '@hookline/agent/handlers'

export interface ProjectPlace {
  /** Where sessions work, and so commands that do not say where they run. */
  readonly projectDir: string
}

/**
 * Commands that cannot do anything as things are: their program, their folder
 * or their script is not there. Nothing of them runs.
 */
export async function missingPrograms(
  hooks: readonly ConfiguredHook[],
  place: ProjectPlace,
): Promise<readonly Finding[]> {
  const found = hooks.map(async (hook): Promise<Finding[]> => {
    const message = await whyNot(hook, place)
    if (message === undefined) return []
    const { file, line } = hook
    const where = { file, place: { line, column: 1 } }
    return [{ severity: 'warning', code: 'missing-program', ...where, message }]
  })
  return (await Promise.all(found)).flat()
}

async function whyNot(
  { name, definition, folder }: ConfiguredHook,
  { projectDir }: ProjectPlace,
): Promise<string | undefined> {
  if (definition.disabled || isUse(definition)) return undefined
  const { handler } = definition
  if (handler.type !== 'command') return undefined
  const failure = await checkCommand(handler, { folder })
  if (failure !== undefined) return failure.message
  const source = sourceOf(definition, { name, folder })
  // The folder stands for the project: whose it is does not matter here.
  const cwd = projectDir
  const { items } = createTrust().inspect(folder, [source], { cwd })
  const problem = items[0]?.problems[0]
  if (problem === undefined) return undefined
  const place = source.cwd === undefined ? cwd : resolve(folder, source.cwd)
  return `${problem} The command runs in "${place}".`
}
