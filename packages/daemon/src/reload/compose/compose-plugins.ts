import { join } from 'node:path'
import type { McpServerConfig } from '@hookline/agent/plugins'
import { serverOf } from '../sections/mcp-server-shape.ts'
import type { WrittenMcp, WrittenPlugins } from '../sections/plugins-section.ts'
import type { PluginSettings } from '../settings.ts'
import type { WrittenBy } from './written.ts'

export interface PluginPlaces {
  readonly root: string
  /** The folder of the user's configuration. */
  readonly user: string
  /** Where the relative paths of a file start. */
  readonly pathIn: (file: string, path: string) => string
}

type Entry = WrittenBy<WrittenPlugins>

/** For each plugin, the options of the file whose word counts most. */
export function composePlugins(
  written: readonly Entry[],
  places: PluginPlaces,
): PluginSettings {
  const os = optionsOf(written, 'os')
  const skills = skillsOf(written, places)
  const memory = optionsOf(written, 'memory')
  const mcp = mcpOf(written, places)
  const delegate = optionsOf(written, 'delegate')
  const askUser = optionsOf(written, 'askUser')
  return {
    ...(os && { os: withPaths(os, places) }),
    ...(skills && { skills }),
    ...(memory && { memory: memory.value }),
    ...(mcp && { mcp }),
    ...(delegate && { delegate: delegate.value }),
    ...(askUser && { askUser: askUser.value }),
  }
}

interface Options<T> {
  readonly value: T
  readonly file: string
}

/** Nothing where it is switched off; without a word, it is there. */
function optionsOf<K extends keyof WrittenPlugins>(
  written: readonly Entry[],
  name: K,
): Options<Exclude<NonNullable<WrittenPlugins[K]>, false>> | undefined {
  for (const { value, file } of written) {
    const options = value[name]
    if (options === undefined) continue
    if (options === false) return undefined
    // It is neither of the two that were left out.
    return {
      value: options as Exclude<NonNullable<WrittenPlugins[K]>, false>,
      file,
    }
  }
  // No options at all are fine for every plugin.
  return {
    value: {} as Exclude<NonNullable<WrittenPlugins[K]>, false>,
    file: '',
  }
}

function withPaths(
  { value, file }: Options<NonNullable<PluginSettings['os']>>,
  { pathIn }: PluginPlaces,
): NonNullable<PluginSettings['os']> {
  const { protectedPaths } = value
  if (protectedPaths === undefined) return value
  const paths = protectedPaths.map((path) => pathIn(file, path))
  return { ...value, protectedPaths: paths }
}

function skillsOf(
  written: readonly Entry[],
  { root, user, pathIn }: PluginPlaces,
): PluginSettings['skills'] {
  const found = optionsOf(written, 'skills')
  if (found === undefined) return undefined
  // Of two with one name the first counts, and nobody has trusted a project's.
  const usual = [join(user, 'skills'), join(root, '.hookline', 'skills')]
  const { value, file } = found
  const roots = value.roots?.map((path) => pathIn(file, path)) ?? usual
  return { ...value, roots }
}

/** Servers of all files, by their names; without any there is no plugin. */
function mcpOf(
  written: readonly Entry[],
  { pathIn }: PluginPlaces,
): PluginSettings['mcp'] {
  const servers = new Map<string, McpServerConfig>()
  const options: WrittenMcp[] = []
  for (const { value, file } of written) {
    const { mcp } = value
    // Whoever counts less has no say, either.
    if (mcp === false) break
    if (mcp === undefined) continue
    options.push(mcp)
    for (const [name, server] of Object.entries(mcp.servers ?? {})) {
      if (servers.has(name)) continue
      const { cwd } = server
      const place = cwd === undefined ? {} : { cwd: pathIn(file, cwd) }
      servers.set(name, serverOf({ ...server, ...place }))
    }
  }
  if (servers.size === 0) return undefined
  const newTools = options.find((one) => one.newTools)?.newTools
  const patienceMs = options.find((one) => one.patienceMs)?.patienceMs
  return {
    servers: Object.fromEntries(servers),
    ...(newTools !== undefined && { newTools }),
    ...(patienceMs !== undefined && { patienceMs }),
  }
}
