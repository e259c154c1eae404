import type { CommandDefinition } from '../definition.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { type CommandPlace, commandParts } from './command-parts.ts'
import { findProgram } from './find-program.ts'

/**
 * Why a command could not be started as things are now, if so; nothing runs.
 * For whoever loads a config: a path with a typo should not wait for a call.
 */
export async function checkCommand(
  definition: CommandDefinition,
  place: CommandPlace,
): Promise<HandlerFailure | undefined> {
  try {
    const {
      argv,
      env,
      cwd = place.folder,
    } = await commandParts(definition, place)
    findProgram({ argv, env, cwd })
    return undefined
  } catch (error) {
    if (error instanceof HandlerFailure) return error
    throw error
  }
}
