import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import {
  type ConfiguredHook,
  guardTrust,
  loadConfig,
  sourceOf,
  type TrustSource,
} from '@hookline/agent/config'
import {
  bindHook,
  createHandlers,
  HandlerFailure,
} from '@hookline/agent/handlers'
import type { Point } from 'hookline'
import { points } from 'hookline/lifecycle'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Workspace } from '../../reload/workspace.ts'
import type { TestedHook } from './tested-hook.ts'

/**
 * Makes a hook of a definition that no file of the configuration holds. What a
 * project may have written runs only if it is trusted, as its hooks do.
 */
export async function bindWritten(
  workspace: Workspace,
  written: Readonly<Record<string, unknown>>,
  file: string | undefined,
): Promise<TestedHook> {
  const { hooks, root } = workspace
  const folder = file === undefined ? root : dirname(resolve(file))
  const { name, definition } = await readDefinition(workspace, written, folder)
  const known: Readonly<Record<string, Point>> = points
  const point = known[definition.on]
  if (point === undefined) throw refuse(`There is no point "${definition.on}".`)
  const isOfProject = file === undefined || isInside(root, file)
  const source = sourceOf(definition, { name, folder })
  if (isOfProject) checkTrusted(workspace, source)
  const handlers = createHandlers()
  try {
    const place = { point, folder, isTrusted: !isOfProject }
    const { handler, mustNameRun } = await handlers.open(definition, place)
    const hook = bindHook(definition, {
      name,
      point,
      mustNameRun,
      handler: isOfProject
        ? guardTrust(handler, { trust: hooks.trust, project: root, source })
        : handler,
      callModel: () => Promise.reject(refuse('There is no turn that runs.')),
    })
    return { hook, close: () => handlers.close() }
  } catch (error) {
    await handlers.close()
    if (!(error instanceof HandlerFailure)) throw error
    throw refuse(error.message)
  }
}

/** As if it stood in a file, with nothing beside it. */
async function readDefinition(
  { home }: Workspace,
  written: Readonly<Record<string, unknown>>,
  folder: string,
): Promise<ConfiguredHook> {
  const nowhere = join(home, '.no-config')
  const config = await loadConfig({
    values: [{ hooks: [written] }],
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

function checkTrusted({ hooks, root }: Workspace, source: TrustSource): void {
  const { items, problems } = hooks.trust.inspect(root, [source])
  const [item] = items
  if (item?.state === 'trusted') return
  const why = [...problems, ...(item?.problems ?? [])].join(' ')
  const message = `Nobody trusts hook "${source.name}" as it is written, so that it does not run. Look at it, and trust ${item?.hash ?? 'it'}; or name a file of your own, outside of the project, that holds it. ${why}`
  throw new ProtocolError('conflict', message.trim())
}

function refuse(message: string): ProtocolError {
  return new ProtocolError('bad-request', message)
}
