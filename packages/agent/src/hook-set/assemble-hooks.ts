import { type Hook, HookError, type Point } from 'hookline'
import { points as lifecyclePoints } from 'hookline/lifecycle'
import type {
  ConfiguredHook,
  DisabledName,
  LoadedConfig,
} from '../config/loaded-config.ts'
import type { Finding } from '../dialects/finding.ts'
import { bindHook, type CallModel } from '../handlers/bind-hook.ts'
import { checkCommand } from '../handlers/command/check-command.ts'
import { type HookDefinition, isUse } from '../handlers/definition.ts'
import { HandlerFailure } from '../handlers/handler-failure.ts'
import { AgentError } from '../ports/agent-error.ts'
import { guardTrust } from '../trust/guard-trust.ts'
import type { Trust, TrustItem } from '../trust/trust.ts'
import { sourceOf, type TrustSource } from '../trust/trust-source.ts'
import { assembleUse, filesOfUse, type UseParts } from './assemble-use.ts'
import type { ForeignTexts } from './foreign-files.ts'
import { type DialectHost, readDialects } from './foreign-hooks.ts'
import type { KeptHandlers } from './kept-handlers.ts'
import { isOfProject, TrustedSources } from './trusted-sources.ts'
import { withinLayer } from './within-layer.ts'

export interface AssemblyParts extends DialectHost, UseParts {
  readonly kept: KeptHandlers
  readonly trust: Trust
  /** Where the project begins. */
  readonly root: string
  readonly callModel: CallModel
  /** Default: those of the lifecycle. */
  readonly points?: Readonly<Record<string, Point>>
}

/** What a configuration comes to. */
export interface AssembledHooks {
  readonly hooks: readonly Hook[]
  /** The names of those that nobody below may switch off. */
  readonly managed: ReadonlySet<string>
  /** What came with the project and does nothing until somebody trusts it. */
  readonly untrusted: readonly TrustItem[]
  /** Why a hook could not be made; then none of them is to be used. */
  readonly problems: readonly AssemblyProblem[]
  /** Why less is trusted than there might be. */
  readonly trustProblems: readonly string[]
  /** Commands that cannot be started as things are: their hooks will fail. */
  readonly doubts: readonly AssemblyProblem[]
  /** What hook files of other products will not do. */
  readonly findings: readonly Finding[]
  /** Those of them of which what they said before counts. */
  readonly keptFiles: readonly string[]
  /** What is to stay in force of them, once this is what runs. */
  readonly foreignTexts: ForeignTexts
}

export interface AssemblyProblem {
  readonly hook: string
  readonly file: string
  readonly line: number
  readonly message: string
}

/** Makes hooks of a configuration. Starts nothing, and asks no one. */
export async function assembleHooks(
  config: LoadedConfig,
  parts: AssemblyParts,
): Promise<AssembledHooks> {
  const enabled = config.hooks.filter(
    ({ definition }) => definition.disabled !== true,
  )
  const own = await Promise.all(
    enabled.map(async (hook) => ({
      hook,
      source: await ownSource(hook, parts),
    })),
  )
  const foreign = await readDialects(config.dialects, parts)
  const sources = [
    ...own.flatMap(({ hook, source }) =>
      isOfProject(hook.layer) ? [source] : [],
    ),
    ...foreign.flatMap(({ sources: given }) => [...given.values()]),
  ]
  const trusted = new TrustedSources(parts.trust, parts.root, sources)
  const problems: AssemblyProblem[] = []
  const doubts: AssemblyProblem[] = []
  const hooks: Hook[] = []
  const managed = new Set<string>()
  for (const { hook, source } of own) {
    const guard = isOfProject(hook.layer) ? source : undefined
    const standing = guard ? trusted.standingOf(guard) : 'trusted'
    if (standing === 'inert') continue
    const hash = guard && trusted.hashOf(guard)
    const isHeld = standing === 'held'
    try {
      const made = await bind(hook, parts, { guard, hash, isHeld })
      const isManaged = hook.layer === 'managed'
      hooks.push(
        ...(isManaged ? made : made.map((one) => withinLayer(one, managed))),
      )
      for (const { name } of isManaged ? made : []) managed.add(name)
      const doubt = await doubtAbout(hook)
      if (doubt !== undefined) doubts.push(doubt)
    } catch (error) {
      problems.push({ ...placeOf(hook), message: messageOf(error) })
    }
  }
  for (const one of foreign) {
    problems.push(...one.missing.map((found) => problemOf(found, one.prefix)))
    const all = await one.toHooks(trusted, managed)
    const made = withoutDisabled(all, config.disabled)
    hooks.push(...made)
    for (const { name } of one.isManaged ? made : []) managed.add(name)
  }
  return {
    managed,
    hooks,
    untrusted: trusted.untrusted,
    trustProblems: trusted.inspection.problems,
    problems,
    doubts,
    findings: foreign.flatMap(({ findings }) => findings),
    keptFiles: foreign.flatMap(({ keptFiles }) => keptFiles),
    foreignTexts: new Map(foreign.flatMap(({ texts }) => [...texts])),
  }
}

function problemOf(
  { file, place: { line }, message: why }: Finding,
  hook: string,
): AssemblyProblem {
  const message = `The gates of "${file}", which is managed, would be missed: ${why}`
  return { hook, file, line, message }
}

async function ownSource(
  { definition, name, folder, layer }: ConfiguredHook,
  parts: UseParts,
): Promise<TrustSource> {
  const isTrusted = !isOfProject(layer)
  if (isTrusted || !isUse(definition)) {
    return sourceOf(definition, { name, folder })
  }
  const files = await filesOfUse(definition, parts)
  return sourceOf(definition, { name, folder, files })
}

interface Binding {
  /** What has to be trusted at every call. */
  readonly guard: TrustSource | undefined
  readonly hash: string | undefined
  readonly isHeld: boolean
}

async function bind(
  hook: ConfiguredHook,
  parts: AssemblyParts,
  binding: Binding,
): Promise<readonly Hook[]> {
  const { definition } = hook
  if (!isUse(definition)) {
    return [await bindDefinition(hook, definition, parts, binding)]
  }
  const { trust, root: project } = parts
  const { guard: source, ...place } = binding
  const guard = source && { trust, project, source }
  return await assembleUse(hook, definition, parts, { ...place, guard })
}

async function bindDefinition(
  { name, layer, folder }: ConfiguredHook,
  written: HookDefinition,
  { kept, trust, root, callModel, points = lifecyclePoints }: AssemblyParts,
  { guard, hash, isHeld }: Binding,
): Promise<Hook> {
  const definition = isHeld ? withoutSay(written) : written
  const point = points[definition.on]
  if (point === undefined) {
    const message = `There is no point "${definition.on}".`
    throw new AgentError('invalid-config', message)
  }
  const isTrusted = !isOfProject(layer)
  const place = { point, folder, isTrusted, hash, isHeld }
  const { handler, mustNameRun } = await kept.open(definition, place)
  const guarded =
    guard === undefined
      ? handler
      : guardTrust(handler, { trust, project: root, source: guard })
  return bindHook(definition, {
    name,
    point,
    handler: guarded,
    callModel,
    mustNameRun,
  })
}

/**
 * What may have other words than those that were trusted can refuse, and no
 * more: it has no value to fall back on, and no say in the order of others.
 */
function withoutSay(definition: HookDefinition): HookDefinition {
  const { after: _, before: __, needs: ___, onFailure, ...rest } = definition
  return {
    ...rest,
    beforeWrites: true,
    ...(typeof onFailure === 'string' && { onFailure }),
  }
}

/** Whether a command can be started; nothing of it runs. */
async function doubtAbout(
  hook: ConfiguredHook,
): Promise<AssemblyProblem | undefined> {
  if (isUse(hook.definition)) return undefined
  const { handler } = hook.definition
  if (handler.type !== 'command') return undefined
  const failure = await checkCommand(handler, { folder: hook.folder })
  if (failure === undefined) return undefined
  return { ...placeOf(hook), message: failure.message }
}

/** Names may be those of hooks that other products' files hold. */
function withoutDisabled(
  hooks: readonly Hook[],
  disabled: readonly DisabledName[],
): readonly Hook[] {
  const names = new Set(
    disabled.flatMap(({ name, isTrusted }) => (isTrusted ? [name] : [])),
  )
  return hooks.filter((hook) => !names.has(hook.name))
}

function placeOf({ name, file, line }: ConfiguredHook) {
  return { hook: name, file, line }
}

function messageOf(error: unknown): string {
  const isOurs =
    error instanceof HandlerFailure ||
    error instanceof AgentError ||
    error instanceof HookError
  return isOurs ? error.message : 'It cannot be made, for an unknown reason.'
}
