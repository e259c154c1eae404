import { resolve } from 'node:path'
import { type Clock, systemClock } from 'hookline'
import type { ModuleDefinition } from '../definition.ts'
import type { Handler } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { CodeHash } from './code-hash.ts'
import { FileHash } from './file-hash.ts'
import { importedBy, importsOf } from './imports-of.ts'
import { ModuleHost } from './module-host.ts'
import { ProcessWideModule } from './process-wide.ts'

export interface ModulesOptions {
  readonly clock?: Clock
  /** Where granted variables come from; default: that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Of one answer; default 1 MiB. */
  readonly maxAnswerBytes?: number
}

interface CodePlace {
  /** Where relative paths start. */
  readonly folder: string
  /** False: it came with a project, and is what was trusted of that. */
  readonly isTrusted?: boolean
}

/**
 * Files of code as handlers. Hooks that name the same file share a thread, which
 * ends when the last of them is closed.
 */
export interface Modules {
  /** Nothing is loaded before the first call. */
  open(definition: ModuleDefinition, place: CodePlace): Handler
  /** Ends all threads; calls that they have fail. */
  close(): Promise<void>
}

const defaultMemoryMb = 128

/** A thread, and the handlers that keep it. */
interface SharedHost {
  readonly host: ModuleHost
  readonly users: Set<Handler>
}

export function createModules({
  clock = systemClock,
  environment = process.env,
  maxAnswerBytes = 1_048_576,
}: ModulesOptions = {}): Modules {
  const hosts = new Map<string, SharedHost>()
  const inProcess = new Map<string, ProcessWideModule>()
  const maxBytes = maxAnswerBytes
  let isClosed = false

  const openHost = (
    path: string,
    definition: ModuleDefinition,
    {
      folder,
      exported,
      isTrusted = true,
    }: CodePlace & { readonly exported: string },
  ): Handler => {
    const { maxMemoryMb = defaultMemoryMb, env: names = [] } = definition
    const sorted = names.toSorted()
    const key = JSON.stringify([path, maxMemoryMb, sorted, isTrusted])
    const make = (): SharedHost => {
      // All that it names was trusted with it; what is the user's own may also
      // keep files that it writes itself.
      const file = new CodeHash(path, isTrusted ? importedBy : importsOf)
      const env = granted(names, environment)
      const limits = { maxMemoryMb, maxBytes }
      const made = new ModuleHost({ file, folder, env, clock, ...limits })
      return { host: made, users: new Set() }
    }
    const shared = hosts.get(key) ?? make()
    hosts.set(key, shared)
    const { host, users } = shared
    const handler: Handler = {
      ask: (call) => host.ask(call, exported),
      async close() {
        if (!users.delete(handler) || users.size > 0) return
        hosts.delete(key)
        await host.close()
      },
    }
    users.add(handler)
    return handler
  }

  const openInProcess = (path: string, folder: string) => {
    const file = new FileHash(path)
    const known =
      inProcess.get(path) ??
      new ProcessWideModule({ file, folder, clock, maxBytes })
    inProcess.set(path, known)
    return known
  }

  return {
    open(definition, { folder, ...place }) {
      if (isClosed) {
        throw new HandlerFailure('cancelled', 'Modules are no longer opened.')
      }
      const path = resolve(folder, definition.file)
      const exported = definition.export ?? 'run'
      if (definition.isolation !== 'process-wide') {
        return openHost(path, definition, { folder, exported, ...place })
      }
      const module = openInProcess(path, folder)
      return { ask: (call) => module.ask(call, exported) }
    },
    async close() {
      isClosed = true
      await Promise.all([...hosts.values()].map(({ host }) => host.close()))
      hosts.clear()
    },
  }
}

function granted(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const name of names) {
    const value = environment[name]
    if (value !== undefined) env[name] = value
  }
  return env
}
