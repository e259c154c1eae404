import type { CommandDefinition } from '../definition.ts'
import type { Handler, HandlerCall, HandlerReply } from '../handler.ts'
import {
  type CommandParts,
  commandParts,
  noteDropped,
  sessionFolder,
} from './command-parts.ts'
import type { CommandEnd, CommandSpec } from './command-runner.ts'
import { readEnd } from './read-end.ts'
import {
  createResident,
  type ResidentPlace,
} from './resident/create-resident.ts'

export type CommandHandlerOptions = ResidentPlace

/** A handler that asks a program. */
export function createCommandHandler(
  definition: CommandDefinition,
  options: CommandHandlerOptions,
): Handler {
  if (definition.mode === 'resident') return createResident(definition, options)
  return {
    ask: async (call) => await askOnce(definition, options, call),
  }
}

async function askOnce(
  definition: CommandDefinition,
  options: CommandHandlerOptions,
  call: HandlerCall,
): Promise<HandlerReply> {
  const parts = await commandParts(definition, options)
  noteDropped(parts, call.diagnose)
  const cwd = parts.cwd ?? sessionFolder(call, options)
  const end = await options.runner.run(specOf(definition, parts, { call, cwd }))
  noteSurvivors(end, call)
  const { program, secrets } = parts
  const { diagnose, envelope } = call
  return readEnd(end, { program, secrets, run: envelope.run, diagnose })
}

function specOf(
  { graceMs, maxStdoutBytes, maxStderrBytes }: CommandDefinition,
  { argv, env, sandbox }: CommandParts,
  { call, cwd }: { call: HandlerCall; cwd: string },
): CommandSpec {
  return {
    argv,
    env,
    cwd,
    stdin: `${JSON.stringify(call.envelope)}\n`,
    timeoutMs: call.remainingMs(),
    signal: call.signal,
    ...(call.checkStart && { checkStart: call.checkStart }),
    ...(graceMs !== undefined && { graceMs }),
    ...(maxStdoutBytes !== undefined && { maxStdoutBytes }),
    ...(maxStderrBytes !== undefined && { maxStderrBytes }),
    ...(sandbox !== undefined && { sandbox }),
  }
}

function noteSurvivors(
  { survivors, isUnkillable }: CommandEnd,
  { diagnose }: HandlerCall,
): void {
  if (isUnkillable) {
    diagnose('unkillable', 'The command could not be ended and is left alone.')
  } else if (survivors.length > 0) {
    const count =
      survivors.length === 1 ? 'a process' : `${survivors.length} processes`
    diagnose(
      'survivors',
      `The command left ${count} behind, which was ended: ${survivors.join(', ')}.`,
    )
  }
}
