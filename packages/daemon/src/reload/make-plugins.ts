import { join } from 'node:path'
import type { Plugin } from '@hookline/agent'
import type { Store } from '@hookline/agent/durable'
import {
  createAskUserPlugin,
  createDelegatePlugin,
  createFilePins,
  createMcpPlugin,
  createMemoryPlugin,
  createOsPlugin,
  createSkillsPlugin,
  type McpPlugin,
  type SkillsPlugin,
  UserQuestions,
} from '@hookline/agent/plugins'
import type { Clock, Hook } from 'hookline'
import type { Log } from '../log/log.ts'
import type { PrivatePaths } from './private-paths.ts'
import { askForServers } from './server-questions.ts'
import type { PluginSettings } from './settings.ts'

export interface PluginParts {
  readonly home: string
  readonly paths: PrivatePaths
  readonly store: Pick<Store, 'memories'>
  readonly clock: Clock
  readonly log: Log
}

/** The plugins of a workspace, and their hooks, which can be switched off. */
export interface MadePlugins {
  readonly plugins: readonly Plugin[]
  readonly hooks: readonly Hook[]
  readonly skills: SkillsPlugin | undefined
  readonly mcp: McpPlugin | undefined
  readonly questions: UserQuestions
  /** Whose hook it is, if it is one of theirs. */
  readonly pluginOf: (hook: string) => string | undefined
}

export function makePlugins(
  settings: PluginSettings,
  { home, paths, store, clock, log }: PluginParts,
): MadePlugins {
  const {
    os,
    skills: wanted,
    memory,
    mcp: servers,
    delegate,
    askUser,
  } = settings
  const questions = new UserQuestions({
    clock,
    ...askUser,
    onError: (error) => log.error('listener-failed', { error }),
  })
  const skills =
    wanted &&
    createSkillsPlugin({
      ...wanted,
      onProblems: (problems) => {
        for (const problem of problems)
          log.warn('skill-refused', { ...problem })
      },
    })
  const mcp =
    servers &&
    createMcpPlugin({
      ...servers,
      clock,
      askUser: askForServers(questions),
      pins: createFilePins(join(home, 'mcp-pins.json')),
      onStatus: (status) => log.info('mcp-server', { ...status }),
    })
  const made: readonly (Plugin | undefined)[] = [
    os &&
      createOsPlugin({
        ...os,
        protectedPaths: [
          ...paths.secret,
          ...paths.config,
          ...(os.protectedPaths ?? []),
        ],
        // Whoever has what is in there can do all that a user can.
        hiddenPaths: [...paths.secret, ...paths.beside],
      }),
    skills,
    memory &&
      createMemoryPlugin({
        ...memoryOptions(memory),
        memories: store.memories,
      }),
    mcp,
    delegate && createDelegatePlugin({ ...delegate, hasBackground: true }),
    askUser && createAskUserPlugin({ questions }),
  ]
  const all = made.filter((plugin) => plugin !== undefined)
  const owners = new Map(
    all.flatMap(({ name, hooks = [] }) => [
      [`${name}:register`, name] as const,
      [`${name}:unregister`, name] as const,
      ...hooks.map((hook) => [hook.name, name] as const),
    ]),
  )
  return {
    // Their hooks come with those of the files, where they can be switched.
    plugins: all.map((plugin) => ({ ...plugin, hooks: [] })),
    hooks: all.flatMap(({ hooks = [] }) => hooks),
    skills,
    mcp,
    questions,
    pluginOf: (hook) => owners.get(hook),
  }
}

function memoryOptions({
  classifier,
  extractor,
  ...rest
}: NonNullable<PluginSettings['memory']>) {
  return {
    ...rest,
    ...(classifier !== undefined && { classifier: { model: classifier } }),
    ...(extractor !== undefined && {
      extractor: extractor === false ? extractor : { model: extractor },
    }),
  }
}
