import {
  type ConfigSection,
  described,
  flag,
  list,
  object,
  record,
  type Shape,
  text,
  word,
} from '@hookline/agent/config'
import type { McpPluginOptions } from '@hookline/agent/plugins'
import type { PluginSettings } from '../settings.ts'
import { mcpServer, type WrittenMcpServer } from './mcp-server-shape.ts'
import {
  count,
  milliseconds,
  modelName,
  notOfProject,
  path,
  variables,
} from './parts.ts'

type SettingsOf<K extends keyof PluginSettings> = NonNullable<PluginSettings[K]>

export interface WrittenMcp {
  readonly servers?: Readonly<Record<string, WrittenMcpServer>>
  readonly newTools?: NonNullable<McpPluginOptions['newTools']>
  readonly patienceMs?: number
}

type WrittenSkills = Partial<SettingsOf<'skills'>>

/** What one file says of plugins; false: agents are without it. */
export interface WrittenPlugins {
  readonly os?: SettingsOf<'os'> | false
  readonly skills?: WrittenSkills | false
  readonly memory?: SettingsOf<'memory'> | false
  readonly mcp?: WrittenMcp | false
  readonly delegate?: SettingsOf<'delegate'> | false
  readonly askUser?: SettingsOf<'askUser'> | false
}

/** Its options, or that it is not wanted. */
function orOff<T>(shape: Shape<T>, description: string): Shape<T | false> {
  return {
    schema: { description, anyOf: [{ const: false }, shape.schema] },
    read(node, reading) {
      if (node.type === 'scalar' && node.value === false) return false
      return shape.read(node, reading)
    },
  }
}

const orFalse = <T>(shape: Shape<T>): Shape<T | false> =>
  orOff(shape, 'Or off.')

export const pluginsSection: ConfigSection<WrittenPlugins> = {
  name: 'plugins',
  needsTrust: true,
  shape: described(
    object<WrittenPlugins>(
      {
        os: orOff(
          object<SettingsOf<'os'>>(
            {
              hasShell: described(flag, 'Whether there is a shell.'),
              env: described(variables, 'Variables that commands get.'),
              protectedPaths: described(
                list(path, { max: 1_000 }),
                'What no tool changes, beside the state directory.',
              ),
              allowProtected: notOfProject(list(path, { max: 1_000 })),
            },
            [],
          ),
          'Files and commands.',
        ),
        skills: orOff(
          object<WrittenSkills>(
            {
              roots: described(
                list(path, { max: 100 }),
                'Folders of skills; a relative path starts at the folder of this file.',
              ),
              watch: flag,
              toolAliases: record(text({ maxLength: 128 }), {
                keys: /^[\w.-]{1,128}$/,
                kind: 'name of a tool',
                max: 1_000,
              }),
            },
            [],
          ),
          'Instructions for particular work.',
        ),
        memory: orOff(
          object<SettingsOf<'memory'>>(
            {
              classifier: modelName,
              extractor: orFalse(modelName),
              recallDeadlineMs: milliseconds,
              maxRecallChars: count,
              maxTextChars: count,
            },
            [],
          ),
          'What agents remember; they need `plugins: { memory: {} }`, too.',
        ),
        mcp: orOff(
          object<WrittenMcp>(
            {
              servers: record(mcpServer, {
                keys: /^[a-zA-Z0-9]+(?:[_-][a-zA-Z0-9]+)*$/,
                kind: 'name of a server',
                max: 200,
              }),
              newTools: word(['report', 'withhold']),
              patienceMs: milliseconds,
            },
            [],
          ),
          'Tools of MCP servers.',
        ),
        delegate: orOff(
          object<SettingsOf<'delegate'>>(
            { maxTasks: count, mayDescribe: flag },
            [],
          ),
          'Work for other agents.',
        ),
        askUser: orOff(
          object<SettingsOf<'askUser'>>({ reconnectMs: milliseconds }, []),
          'Questions to the user.',
        ),
      },
      [],
    ),
    'What agents can use.',
  ),
}
