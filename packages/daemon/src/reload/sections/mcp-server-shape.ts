import {
  described,
  flag,
  list,
  object,
  record,
  type Shape,
  text,
  word,
} from '@hookline/agent/config'
import type { McpServerConfig } from '@hookline/agent/plugins'
import { createMcpPlugin } from '@hookline/agent/plugins'
import {
  checked,
  count,
  milliseconds,
  notOfProject,
  part,
  path,
  variables,
  variableValues,
} from './parts.ts'

/** A server as files write it: variables as hooks have them. */
export interface WrittenMcpServer {
  readonly command?: string
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly env?: readonly string[]
  readonly setEnv?: Readonly<Record<string, string>>
  readonly safety?: NonNullable<McpServerConfig['safety']>
  readonly trustAnnotations?: boolean
  readonly isTrusted?: boolean
  readonly roots?: boolean
  readonly connectTimeoutMs?: number
  readonly requestTimeoutMs?: number
  readonly idleMs?: number
  readonly maxMessageBytes?: number
}

export const mcpServer: Shape<WrittenMcpServer> = checked(
  object<WrittenMcpServer>(
    {
      command: described(part, 'A program that speaks over its streams.'),
      args: list(part, { max: 1_000 }),
      cwd: described(
        path,
        'Where the program starts; a relative path starts at the folder of this file.',
      ),
      url: described(text({ maxLength: 2_000 }), 'Of a server over HTTP.'),
      headers: described(
        record(part, { keys: /^[\w-]{1,100}$/, kind: 'header', max: 50 }),
        'A name in braces after a dollar sign stands for a variable that `env` grants.',
      ),
      env: described(variables, 'Variables of ours that it gets.'),
      setEnv: variableValues,
      safety: described(
        word(['read_only', 'mutating', 'destructive', 'network']),
        'The worst that its tools can do.',
      ),
      trustAnnotations: notOfProject(flag),
      isTrusted: notOfProject(flag),
      roots: flag,
      connectTimeoutMs: milliseconds,
      requestTimeoutMs: milliseconds,
      idleMs: milliseconds,
      maxMessageBytes: count,
    },
    [],
  ),
  (written) => {
    // Whoever asks the servers knows best; nothing is started here.
    createMcpPlugin({ servers: { this: serverOf(written) } })
    return undefined
  },
)

/** The same as the plugin has it. */
export function serverOf({
  env,
  setEnv,
  ...rest
}: WrittenMcpServer): McpServerConfig {
  const granted = {
    ...(env !== undefined && { names: env }),
    ...(setEnv !== undefined && { set: setEnv }),
  }
  const hasEnv = env !== undefined || setEnv !== undefined
  // That it has either a command or a url is checked where it is read.
  return { ...rest, ...(hasEnv && { env: granted }) } as McpServerConfig
}
