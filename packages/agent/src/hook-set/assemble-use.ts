import { resolve } from 'node:path'
import type { Hook } from 'hookline'
import type { OpenedCatalogue } from '../config/catalogue.ts'
import type { ConfiguredHook } from '../config/loaded-config.ts'
import type { UseDefinition } from '../handlers/definition.ts'
import { isWaited } from '../handlers/is-waited.ts'
import { FileHash } from '../handlers/module/file-hash.ts'
import { AgentError } from '../ports/agent-error.ts'
import { canonicalJson } from '../seal/canonical-json.ts'
import { sha256 } from '../seal/sha256.ts'
import { guardHook, type TrustGuard } from '../trust/guard-trust.ts'
import {
  createHooks,
  type HooksHost,
  type HooksSpec,
  readOptions,
} from './define-hooks.ts'
import type { KeptUses } from './kept-uses.ts'

/** What uses of a catalogue become hooks with. */
export interface UseParts {
  readonly catalogue: OpenedCatalogue<HooksSpec>
  /** Absent: nothing is kept. */
  readonly keptUses?: KeptUses
  readonly useHost: Omit<HooksHost, 'name' | 'folder'>
}

export interface UsePlace {
  /** What has to be trusted at every call, if anything has to be. */
  readonly guard: TrustGuard | undefined
  /** Of that, as it was looked at before. */
  readonly hash: string | undefined
  /** It was trusted as something else: it refuses, and no more. */
  readonly isHeld: boolean
}

/** The `kind` of handlers whose hooks are of a use; their `id` is its entry. */
const useKind = 'use'

const usualPriority = 100

/** The files that a use names, whether it can be made or not. */
export async function filesOfUse(
  { use, options = {} }: UseDefinition,
  { catalogue }: Pick<UseParts, 'catalogue'>,
): Promise<readonly string[]> {
  try {
    const entries = await catalogue()
    const spec = entries.find((entry) => entry.name === use)
    return spec?.files?.(readOptions(spec, options)) ?? []
  } catch {
    // It makes no hooks then, and why is told where they are made.
    return []
  }
}

/** Makes the hooks of a use. Throws what is wrong with it. */
export async function assembleUse(
  { name, folder }: Pick<ConfiguredHook, 'name' | 'folder'>,
  definition: UseDefinition,
  { catalogue, keptUses, useHost }: UseParts,
  { guard, hash, isHeld }: UsePlace,
): Promise<readonly Hook[]> {
  const { use, options = {} } = definition
  const entries = await catalogue()
  const spec = entries.find((entry) => entry.name === use)
  if (spec === undefined) {
    const message = `There is no entry "${use}" to use; register it.`
    throw new AgentError('invalid-config', message)
  }
  const read = readOptions(spec, options)
  const named = spec.files?.(read) ?? []
  const files = hashesOf(named, folder)
  const make = () => {
    const made = createHooks(spec, read, { ...useHost, ...{ name, folder } })
    if (isSame(files, hashesOf(named, folder))) return made
    const message = `The files of "${name}" were changed while they were read; have the hooks loaded again.`
    throw new AgentError('invalid-config', message)
  }
  const key = canonicalJson([use, name, folder, options, files])
  const hooks = keptUses?.open(key, make) ?? make()
  const madeGuard = guard && { ...guard, madeOf: stillOf(guard, hash) }
  return hooks.map((made) => {
    const own = isHeld ? withoutSay(made) : made
    const hook = asUsed(own, definition, files)
    return Object.freeze(madeGuard ? guardHook(hook, madeGuard) : hook)
  })
}

/** The hash, if it is what there is: what was made in between is of that. */
function stillOf(
  { trust, project, source }: TrustGuard,
  hash: string | undefined,
): string | undefined {
  return trust.check(project, source).hash === hash ? hash : undefined
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.every((hash, index) => hash === other[index])
}

/** What is in each of the files, as far as it can be read. */
function hashesOf(files: readonly string[], folder: string): readonly string[] {
  return files.map((file) => {
    const { hash, problem } = new FileHash(resolve(folder, file)).read()
    return hash ?? problem
  })
}

/**
 * A hook as its use has it. A priority moves all hooks of a use by as much, so
 * that they stay as they are to each other. Where the order descends, lower
 * ones run last: a use that goes further out does so both ways.
 */
function asUsed(
  hook: Hook,
  definition: UseDefinition,
  files: readonly string[],
): Hook {
  const { use, priority = usualPriority, mode, timeoutMs } = definition
  const version = hook.handler?.version ?? '0'
  const written = canonicalJson([version, definition, ...files])
  const hasDeadline = typeof hook.execution === 'object'
  return {
    ...hook,
    priority: (hook.priority ?? usualPriority) + priority - usualPriority,
    ...(mode !== undefined && { mode }),
    ...(timeoutMs !== undefined &&
      (hasDeadline ? { execution: { deadlineMs: timeoutMs } } : { timeoutMs })),
    handler: {
      id: use,
      kind: useKind,
      version: sha256(written).slice(0, 16),
    },
    run: (input, context) => hook.run(input, context),
  }
}

/** It can refuse, as hooks of files can that are not what was trusted. */
function withoutSay(hook: Hook): Hook {
  const { after: _, before: __, needs: ___, onFailure, ...rest } = hook
  return {
    ...rest,
    ...(isWaited(hook) && { beforeWrites: true }),
    ...(typeof onFailure === 'string' && { onFailure }),
    run: (input, context) => hook.run(input, context),
  }
}
