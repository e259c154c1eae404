import type { Clock, Point } from 'hookline'
import type { Builtin } from './builtin/create-builtins.ts'
import { type Builtins, createBuiltins } from './builtin/create-builtins.ts'
import type { CommandRunner } from './command/command-runner.ts'
import { createCommandHandler } from './command/create-command-handler.ts'
import {
  type CommandRunnerOptions,
  createCommandRunner,
} from './command/create-command-runner.ts'
import type { HandlerDefinition, HookDefinition } from './definition.ts'
import type { Handler } from './handler.ts'
import { createHttpHandler } from './http/create-http-handler.ts'
import {
  createHttpSender,
  type HttpSenderOptions,
} from './http/create-http-sender.ts'
import type { HttpSender } from './http/http-sender.ts'
import { createModules } from './module/create-modules.ts'
import { createPromptHandler } from './prompt/create-prompt-handler.ts'

export interface HandlersOptions {
  readonly commands?: CommandRunnerOptions
  readonly requests?: HttpSenderOptions
  /** Code that definitions can name. */
  readonly builtins?: readonly Builtin[]
  /** Of which handlers get a part; default: the process's. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
}

/** Where a definition comes from. */
export interface HandlerPlace {
  readonly point: Point
  /** Where relative paths start. */
  readonly folder: string
  /** It may set any variable of a command; default false. */
  readonly isTrusted?: boolean
}

export interface OpenedHandler {
  readonly handler: Handler
  /** Answers to several calls come the same way: each has to name its run. */
  readonly mustNameRun: boolean
}

/** What handlers of all kinds share: places for processes, connections, threads. */
export interface Handlers {
  readonly runner: CommandRunner
  readonly sender: HttpSender
  readonly builtins: Builtins
  /** Starts nothing yet; what is wrong with a definition is thrown. */
  open(definition: HookDefinition, place: HandlerPlace): Promise<OpenedHandler>
  /** Ends everything that handlers have started. */
  close(): Promise<void>
}

export function createHandlers(options: HandlersOptions = {}): Handlers {
  const { clock, environment = process.env } = options
  const timed = clock === undefined ? {} : { clock }
  const runner = createCommandRunner(options.commands)
  const sender = createHttpSender(options.requests)
  const builtins = createBuiltins(options.builtins ?? [], timed)
  const modules = createModules({ ...timed, environment })

  const make = async (
    hook: HookDefinition,
    { point, folder, isTrusted }: HandlerPlace,
  ): Promise<Handler> => {
    const { handler: definition } = hook
    switch (definition.type) {
      case 'command': {
        const place = { runner, folder, environment }
        return createCommandHandler(definition, {
          ...place,
          ...(isTrusted !== undefined && { isTrusted }),
        })
      }
      case 'http': {
        const parts = { ...timed, sender, env: environment }
        return createHttpHandler(definition, parts)
      }
      case 'prompt': {
        const { timeoutMs, writes, capabilities } = hook
        return createPromptHandler(definition, {
          ...timed,
          point,
          ...(timeoutMs !== undefined && { timeoutMs }),
          ...(writes !== undefined && { writes }),
          ...(capabilities !== undefined && { capabilities }),
        })
      }
      case 'module':
        return modules.open(definition, {
          folder,
          ...(isTrusted !== undefined && { isTrusted }),
        })
      case 'builtin':
        return await builtins.open({ definition, point: point.name })
    }
  }

  return {
    runner,
    sender,
    builtins,
    async open(hook, place) {
      const handler = await make(hook, place)
      return { handler, mustNameRun: mustNameRun(hook.handler) }
    },
    async close() {
      await Promise.all([runner.close(), sender.close(), modules.close()])
    },
  }
}

/** Whether answers to several calls of a handler come the same way. */
export function mustNameRun(definition: HandlerDefinition): boolean {
  if (definition.type === 'command') return definition.mode === 'resident'
  return definition.type === 'http' || definition.type === 'module'
}
