import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { AgentError } from '@hookline/agent'
import {
  assembleUse,
  type ConfiguredHook,
  guardTrust,
  loadConfig,
  sourceOf,
  type TrustGuard,
  type TrustSource,
} from '@hookline/agent/config'
import {
  bindHook,
  createHandlers,
  HandlerFailure,
  type HookDefinition,
  isUse,
  type UseDefinition,
} from '@hookline/agent/handlers'
import type { Hook, Point } from 'hookline'
import { points } from 'hookline/lifecycle'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Workspace } from '../../reload/workspace.ts'
import type { TestedHook } from './tested-hook.ts'

interface WrittenPlace {
  readonly file: string | undefined
  /** Which hook of a use. */
  readonly part: string | undefined
}

/**
 * Makes a hook of a definition that no file of the configuration holds. What a
 * project may have written runs only if it is trusted, as its hooks do.
 */
export async function bindWritten(
  workspace: Workspace,
  written: Readonly<Record<string, unknown>>,
  { file, part }: WrittenPlace,
): Promise<TestedHook> {
  const { hooks, root } = workspace
  const folder = file === undefined ? root : dirname(resolve(file))
  const { name, definition } = await readDefinition(workspace, written, folder)
  const isOfProject = file === undefined || isInside(root, file)
  const source = sourceOf(definition, { name, folder })
  const hash = isOfProject ? checkTrusted(workspace, source) : undefined
  const guard = isOfProject
    ? { trust: hooks.trust, project: root, source }
    : undefined
  if (isUse(definition)) {
    const used = { name, folder, definition, guard, hash }
    const all = await hooksOfUse(workspace, used)
    return { hook: chooseHook(all, { name, part }), close: async () => {} }
  }
  return await bindDefinition(definition, { name, folder, guard })
}

interface Bound {
  readonly name: string
  readonly folder: string
  readonly guard: TrustGuard | undefined
}

async function bindDefinition(
  definition: HookDefinition,
  { name, folder, guard }: Bound,
): Promise<TestedHook> {
  const known: Readonly<Record<string, Point>> = points
  const point = known[definition.on]
  if (point === undefined) throw refuse(`There is no point "${definition.on}".`)
  const handlers = createHandlers()
  try {
    const place = { point, folder, isTrusted: guard === undefined }
    const { handler, mustNameRun } = await handlers.open(definition, place)
    const hook = bindHook(definition, {
      name,
      point,
      mustNameRun,
      handler: guard === undefined ? handler : guardTrust(handler, guard),
      callModel: noTurn,
    })
    return { hook, close: () => handlers.close() }
  } catch (error) {
    await handlers.close()
    if (!(error instanceof HandlerFailure)) throw error
    throw refuse(error.message)
  }
}

interface Used {
  readonly name: string
  readonly folder: string
  readonly definition: UseDefinition
  readonly guard: TrustGuard | undefined
  /** Of what is trusted. */
  readonly hash: string | undefined
}

async function hooksOfUse(
  { catalogue, store }: Workspace,
  { name, folder, definition, guard, hash }: Used,
): Promise<readonly Hook[]> {
  const { clock } = store.parts
  const useHost = {
    ...{ clock, callModel: noTurn },
    priceOf: async () => undefined,
    titleSession: noTurn,
    keepsTitles: () => false,
    alarm() {},
  }
  const parts = { catalogue, useHost }
  try {
    const place = { guard, hash, isHeld: false }
    return await assembleUse({ name, folder }, definition, parts, place)
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    throw refuse(error.message)
  }
}

/** One is asked alone. */
function chooseHook(
  hooks: readonly Hook[],
  { name, part }: { readonly name: string; readonly part: string | undefined },
): Hook {
  const [only, ...others] = hooks
  if (part === undefined && only !== undefined && others.length === 0) {
    return only
  }
  const found = hooks.find((hook) => hook.name === part)
  if (found !== undefined) return found
  if (only === undefined) {
    throw refuse(`"${name}" has no hook with these options.`)
  }
  const names = hooks.map((hook) => hook.name).join(', ')
  throw refuse(`"${name}" has several hooks; say which: ${names}.`)
}

function noTurn(): Promise<never> {
  return Promise.reject(refuse('There is no turn that runs.'))
}

/** As if it stood in a file, with nothing beside it. */
async function readDefinition(
  { home, catalogue }: Workspace,
  written: Readonly<Record<string, unknown>>,
  folder: string,
): Promise<ConfiguredHook> {
  const nowhere = join(home, '.no-config')
  const config = await loadConfig({
    values: [{ hooks: [written] }],
    catalogue,
    folder,
    managed: nowhere,
    user: nowhere,
  })
  const wrong = config.problems.filter(({ severity }) => severity === 'error')
  const [hook] = config.hooks
  if (wrong.length === 0 && hook !== undefined) return hook
  const [first] = wrong
  const problems = wrong.map(({ path, message }) => ({
    path: path.replace(/^hooks\[0\]/, 'hook'),
    message,
  }))
  const message = first?.message ?? 'There is no hook in it.'
  throw new ProtocolError('bad-request', message, { problems })
}

/** Whoever names no file may have it from anywhere. */
function isInside(root: string, file: string): boolean {
  const places = [
    [resolve(root), resolve(file)],
    [realOf(root), realOf(file)],
  ] as const
  return places.some(([folder, path]) => {
    const way = relative(folder, path)
    return !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..'
  })
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

function checkTrusted({ hooks, root }: Workspace, source: TrustSource): string {
  const { items, problems } = hooks.trust.inspect(root, [source])
  const [item] = items
  if (item?.state === 'trusted') return item.hash
  const why = [...problems, ...(item?.problems ?? [])].join(' ')
  const message = `Nobody trusts hook "${source.name}" as it is written, so that it does not run. Look at it, and trust ${item?.hash ?? 'it'}; or name a file of your own, outside of the project, that holds it. ${why}`
  throw new ProtocolError('conflict', message.trim())
}

function refuse(message: string): ProtocolError {
  return new ProtocolError('bad-request', message)
}
