import { resolve } from 'node:path'
import {
  type CompileRegex,
  type ConfigProblem,
  createCodeRuns,
  createTrust,
  type LoadedConfig,
  type LoadOptions,
  loadConfig,
  loadLinearRegex,
  type Trust,
} from '@hookline/agent/config'
import {
  composeSettings,
  type SettingsPlaces,
} from './compose/compose-settings.ts'
import { type AnyHooks, type KnownHooks, knownHooks } from './known-hooks.ts'
import { type Environment, homeFolder, userFolder } from './places.ts'
import { configSections } from './sections/config-sections.ts'
import type { Settings } from './settings.ts'

/** Where files are, and what else they are read with. */
export interface LoadPlaces
  extends Pick<
    LoadOptions,
    'managed' | 'user' | 'files' | 'values' | 'folder'
  > {
  /** The project's folder; default: the process's. */
  readonly root?: string
  /** The state directory; default: as the environment says. */
  readonly home?: string
  /** Default: that of the process. */
  readonly env?: Environment
  /** Hooks that files can use by name, beside those that ship. */
  readonly catalogue?: readonly AnyHooks[]
}

/** The same with all that has a default. */
export interface FoundPlaces extends SettingsPlaces {
  readonly load: Omit<LoadOptions, 'catalogue'> & {
    readonly catalogue: KnownHooks
  }
  /** The engine for expressions of files. */
  readonly regex: CompileRegex
}

export interface LoadedSettings {
  readonly settings: Settings
  readonly config: LoadedConfig
  readonly problems: readonly ConfigProblem[]
  /** Why a daemon would not start with it. */
  readonly refusal?: string
  readonly trust: Trust
}

export async function findPlaces(places: LoadPlaces): Promise<FoundPlaces> {
  const regex = await loadLinearRegex()
  const { env = process.env } = places
  const root = resolve(places.root ?? '.')
  const folder = resolve(places.folder ?? root)
  const { managed, user, files, values } = places
  const load: FoundPlaces['load'] = {
    root,
    folder,
    ...(managed !== undefined && { managed }),
    ...(user !== undefined && { user }),
    ...(files !== undefined && { files }),
    ...(values !== undefined && { values }),
    catalogue: knownHooks(places.catalogue),
    sections: configSections(regex),
    codeRuns: createCodeRuns(),
  }
  const home = resolve(places.home ?? homeFolder(env))
  return { root, home, user: userFolder(load), folder, env, load, regex }
}

/**
 * Reads what files say, and opens nothing: neither a store nor a hook. Never
 * throws; what is wrong is in `problems`.
 */
export async function loadSettings(
  given: LoadPlaces & { readonly runsCode?: boolean } = {},
): Promise<LoadedSettings> {
  return await loadFrom(await findPlaces(given), given)
}

/** The same, where the places are known: files of code are run once for all that is read of them. */
export async function loadFrom(
  places: FoundPlaces,
  { runsCode = true }: { readonly runsCode?: boolean } = {},
): Promise<LoadedSettings> {
  const { root, env, load } = places
  const trust = createTrust({ folder: places.home, environment: env })
  const config = await loadConfig({
    ...load,
    runsCode,
    isTrusted: ({ hash }) => trust.isTrusted(root, hash),
  })
  const { problems } = config
  const refusal = refusalOf(config, trust.knows(root))
  return {
    settings: composeSettings(config, places),
    config,
    problems,
    ...(refusal !== undefined && { refusal }),
    trust,
  }
}

/** Why it cannot be used at all, with the place. */
function refusalOf(
  { fatal, sources, problems }: LoadedConfig,
  isKnown: boolean,
): string | undefined {
  if (fatal !== undefined) return placed(fatal)
  const isProjects = (layer: string) => layer === 'project' || layer === 'local'
  // In a project that nobody trusts no gate is missed.
  const refused = sources.find(
    ({ state, layer }) =>
      state === 'refused' && (isKnown || !isProjects(layer)),
  )
  const problem = problems.find(
    ({ file, severity }) => file === refused?.file && severity === 'error',
  )
  return problem && placed(problem)
}

/** A problem as people look it up. */
export function placed({
  file,
  line,
  column,
  message,
}: Pick<ConfigProblem, 'file' | 'line' | 'column' | 'message'>): string {
  return `${file}:${line}:${column}: ${message}`
}
