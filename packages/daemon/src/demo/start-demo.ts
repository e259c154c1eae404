import { createModelRegistry, type ModelRegistry } from '@hookline/agent'
import { defaultModel } from '../reload/default-model.ts'
import {
  type Daemon,
  type DaemonOptions,
  startDaemon,
} from '../start-daemon.ts'
import { storyModel } from './story.ts'
import { type DemoFolder, demoConfig, storyModelName } from './workspace.ts'

export interface DemoOptions
  extends Pick<DaemonOptions, 'log' | 'onShutdown' | 'isOwnProcess'> {
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** A daemon in a folder of its own, whose hooks are trusted. */
export async function startDemo(
  folder: DemoFolder,
  { env = process.env, ...options }: DemoOptions = {},
): Promise<Daemon> {
  const { root, home, user } = folder
  const model = defaultModel(env, undefined)
  const daemon = await startDaemon({
    ...options,
    inspector: true,
    root,
    home,
    user,
    env,
    values: [demoConfig(model ?? storyModelName)],
    ...(model === undefined && { models: storyModels() }),
  })
  const { items } = await daemon.client.listUntrusted({})
  const hashes = items.map(({ hash }) => hash)
  if (hashes.length > 0) await daemon.client.trust({ hashes })
  return daemon
}

function storyModels(): ModelRegistry {
  return createModelRegistry({ models: { [storyModelName]: storyModel() } })
}
