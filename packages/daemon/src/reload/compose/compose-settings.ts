import { dirname, isAbsolute, resolve } from 'node:path'
import type { LoadedConfig } from '@hookline/agent/config'
import { freezeDeep } from 'hookline'
import { defaultModel } from '../default-model.ts'
import type { Environment } from '../places.ts'
import type { PolicySettings, Settings } from '../settings.ts'
import { composeAgents } from './compose-agents.ts'
import { composeDaemon } from './compose-daemon.ts'
import { composePlugins } from './compose-plugins.ts'
import { composeStore } from './compose-store.ts'
import { firstOfEach, writtenIn } from './written.ts'

export interface SettingsPlaces {
  readonly root: string
  readonly home: string
  /** The folder of the user's configuration. */
  readonly user: string
  /** Where relative paths of the command line start. */
  readonly folder: string
  readonly env: Environment
}

type Sections = LoadedConfig['sections']

/** Puts together what files of all layers say beside their hooks. */
export function composeSettings(
  { sections }: Pick<LoadedConfig, 'sections'>,
  { root, home, user, folder, env }: SettingsPlaces,
): Settings {
  const pathIn = (file: string, path: string) =>
    resolve(isAbsolute(file) ? dirname(file) : folder, path)
  const models = writtenIn(sections, 'models').map(({ value }) => value)
  const { default: configured } = firstOfEach(models)
  const model = defaultModel(env, configured)
  return freezeDeep({
    agents: composeAgents(writtenIn(sections, 'agents'), model),
    models: {
      ...(model !== undefined && { default: model }),
      providers: firstOfEach(models.map(({ providers = {} }) => providers)),
    },
    policy: policyOf(sections),
    plugins: composePlugins(writtenIn(sections, 'plugins'), {
      ...{ root, user, pathIn },
    }),
    store: composeStore(writtenIn(sections, 'store'), { home, pathIn }),
    daemon: composeDaemon(writtenIn(sections, 'daemon'), pathIn),
  })
}

/** What is managed is one policy; what others say can only narrow it. */
function policyOf(sections: Sections): PolicySettings {
  const written = writtenIn(sections, 'policy')
  const of = (isManaged: boolean) => {
    const values = written
      .filter(({ layer }) => (layer === 'managed') === isManaged)
      .map(({ value }) => value)
    if (values.length === 0) return undefined
    const rules = values.flatMap((one) => one.rules ?? [])
    const gated = values.flatMap((one) => one.gated ?? [])
    return { ...firstOfEach(values), rules, gated }
  }
  const managed = of(true)
  const own = of(false)
  return { ...(managed && { managed }), ...(own && { own }) }
}
