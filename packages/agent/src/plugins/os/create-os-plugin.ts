import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { defineHook, proceed } from 'hookline'
import { sessionEnd } from 'hookline/lifecycle'
import {
  buildEnv,
  type CommandRunner,
  createCommandRunner,
  shellArgv,
} from '../../handlers.ts'
import { definePlugin, type Plugin, type PluginHost } from '../../index.ts'
import { fileTools } from './file-tools.ts'
import { guardRoots } from './guard-roots.ts'
import { searchTools } from './search-tools.ts'
import { SeenFiles } from './seen-files.ts'
import { shellTool } from './shell-tool.ts'

export interface OsPluginOptions {
  /** What runs commands; default: one of its own. */
  readonly runner?: CommandRunner
  /** Without it there is no `shell`; default true. */
  readonly hasShell?: boolean
  /** Variables of ours that commands get beside the harmless ones. */
  readonly env?: readonly string[]
  /**
   * Files and folders that no tool changes, such as the store: best its folder.
   * With a file goes what SQLite keeps beside it, and a folder that holds
   * nothing else; among other things a command in a sandbox can still make what
   * SQLite has not made yet.
   */
  readonly protectedPaths?: readonly string[]
  /**
   * Files and folders that no tool sees, and no command in a sandbox, such as
   * one with tokens. A call whose grant says `sandbox: none` is not kept from them.
   */
  readonly hiddenPaths?: readonly string[]
  /** Names such as `.vscode` or `package.json` that may be changed after all. */
  readonly allowProtected?: readonly string[]
}

const usage =
  'Paths are absolute, or from the working folder. Read a file before you edit or overwrite it. Use glob and grep rather than the shell to find things.'

/** Files and commands, confined to what each call is granted. */
export function createOsPlugin(options: OsPluginOptions = {}): Plugin {
  const { hasShell = true, allowProtected = [] } = options
  const seen = new SeenFiles()
  let own: CommandRunner | undefined
  const runner = () => {
    if (options.runner !== undefined) return options.runner
    own ??= createCommandRunner()
    return own
  }
  const paths: string[] = []
  const hidden: string[] = []
  const protectedPaths = { paths, allowed: allowProtected }
  let host: PluginHost | undefined
  const { env } = buildEnv(process.env, { names: options.env ?? [] })
  const shell = shellTool({
    runner,
    env,
    hidden,
    argvOf: (script) => shellArgv(script, env),
    guard: (roots) => guardRoots(roots, protectedPaths),
    onSetAside: (path) => host?.alarm('protected-file', path),
  })
  const forget = defineHook({
    name: 'os:forget',
    on: sessionEnd,
    run: (_, { scope }) => {
      seen.forget(scope.sessionId ?? '')
      return proceed
    },
  })
  return definePlugin({
    name: 'os',
    tools: [
      ...fileTools({ seen, protectedPaths, hidden }),
      ...searchTools(hidden),
      ...(hasShell ? [shell] : []),
    ],
    hooks: [forget],
    prompt: () => usage,
    async setup(given) {
      host = given
      await fill(paths, options.protectedPaths)
      await fill(hidden, options.hiddenPaths)
    },
    dispose: async () => {
      await own?.close()
    },
  })
}

/** Puts real paths in place of what was there. */
async function fill(list: string[], paths: readonly string[] = []) {
  const real = await Promise.all(paths.map((path) => realPlace(resolve(path))))
  list.splice(0, list.length, ...real)
}

/** Where something really is, or will be when it is there. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(await realPlace(above), basename(path))
  }
}
