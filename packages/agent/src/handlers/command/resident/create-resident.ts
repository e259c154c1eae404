import type { CommandDefinition } from '../../definition.ts'
import type { Handler } from '../../handler.ts'
import {
  type CommandPlace,
  commandParts,
  noteDropped,
} from '../command-parts.ts'
import type { CommandRunner } from '../command-runner.ts'
import { notStarted } from '../start-failure.ts'
import {
  Resident,
  type ResidentOptions,
  type StartProcess,
} from './resident.ts'
import { ResidentProcess } from './resident-process.ts'

export interface ResidentPlace extends CommandPlace {
  readonly runner: CommandRunner
  readonly resident?: ResidentOptions
}

/**
 * A handler that keeps one process for all calls. It runs in the config's
 * folder, unless the definition names another: it serves every session.
 */
export function createResident(
  definition: CommandDefinition,
  place: ResidentPlace,
): Handler {
  const { runner, folder, resident } = place
  const { graceMs = defaultGraceMs, framing = 'line' } = definition
  const start: StartProcess = async (diagnose) => {
    const parts = await commandParts(definition, place)
    noteDropped(parts, diagnose)
    const { argv, env, cwd = folder, sandbox, program, secrets } = parts
    const traits = {
      program,
      secrets,
      graceMs,
      maxLineBytes: definition.maxStdoutBytes ?? defaultLineBytes,
      framing,
    }
    const spec = { argv, env, cwd, ...(sandbox !== undefined && { sandbox }) }
    const process = new ResidentProcess(traits)
    await process.start(async (listeners) => {
      if (runner.start !== undefined) return await runner.start(spec, listeners)
      throw notStarted('This runner has no processes that stay; use another.')
    })
    return process
  }
  return new Resident(start, resident)
}

const defaultGraceMs = 1_000
const defaultLineBytes = 1_048_576
