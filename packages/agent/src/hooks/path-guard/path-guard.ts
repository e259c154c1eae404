import { homedir } from 'node:os'
import { defineHook, proceed, reject } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  list,
  object,
  record,
  text,
} from '../../define-hooks.ts'
import { compilePathPattern } from '../../paths/path-pattern.ts'
import { isWithin, meaningsOf, realFolders } from '../../paths/real-path.ts'
import {
  defaultNoWrite,
  defaultSecret,
  osTools,
  type PathArguments,
} from './default-paths.ts'

export interface PathGuardOptions {
  /** Which arguments of which tools are paths; default: the tools for files. */
  readonly tools?: Readonly<Record<string, PathArguments>>
  /** Folders that tools may read and write; default: the working folder. */
  readonly roots?: readonly string[]
  /** Folders that tools may only read. */
  readonly readOnly?: readonly string[]
  /** Patterns of paths that no tool gets; default: keys and secrets. */
  readonly deny?: readonly string[]
  /** Patterns of paths that no tool writes; default: what is run later on. */
  readonly denyWrites?: readonly string[]
}

const paths = list(text({ maxLength: 1_000 }), { max: 200 })
const names = list(text({ maxLength: 128 }), { max: 20 })

const options = object<PathGuardOptions>(
  {
    tools: described(
      record(object<PathArguments>({ read: names, write: names }, []), {
        ...{ keys: /^.{1,128}$/, kind: 'name of a tool', max: 200 },
      }),
      'Which arguments of which tools are paths; default: the tools for files.',
    ),
    roots: described(
      paths,
      'Folders that tools may read and write; default: the working folder.',
    ),
    readOnly: described(paths, 'Folders that tools may only read.'),
    deny: described(
      paths,
      'Patterns of paths that no tool gets; default: keys and secrets.',
    ),
    denyWrites: described(
      paths,
      'Patterns of paths that no tool writes; default: what is run later on.',
    ),
  },
  [],
)

/** Keeps the paths in the arguments of tools within folders. */
export const pathGuard = defineHooks({
  name: 'path-guard',
  description: 'Keeps tools within folders, and away from keys and secrets.',
  options,
  create(given, { name }) {
    const { tools = osTools, roots = ['.'], readOnly = [] } = given
    const compile = (pattern: string) => compilePathPattern(pattern, homedir())
    const denied = (given.deny ?? defaultSecret).map(compile)
    const notWritten = (given.denyWrites ?? defaultNoWrite).map(compile)

    /** Why a path is refused; nothing: it is not. */
    async function refusal(
      path: unknown,
      isWritten: boolean,
      cwd: string | undefined,
    ): Promise<string | undefined> {
      const meanings = await meaningsOf(path, cwd)
      if (meanings.length === 0) return 'Where a path leads cannot be told.'
      const allowed = [...roots, ...(isWritten ? [] : readOnly)]
      const folders = await realFolders(allowed, cwd)
      const isInside = meanings.every((meaning) =>
        folders.some((folder) => isWithin(folder, meaning)),
      )
      if (!isInside)
        return `"${String(path)}" is outside of the folders to use.`
      const patterns = isWritten ? [...denied, ...notWritten] : denied
      const here = await realFolders(['.'], cwd)
      const isDenied = patterns.some((fits) =>
        meanings.some((meaning) => fits(meaning, here)),
      )
      if (!isDenied) return undefined
      const doing = isWritten ? 'written' : 'read'
      return `"${String(path)}" is not to be ${doing} by tools.`
    }

    const guard = defineHook({
      name,
      on: toolGuard,
      handler: { version: '1' },
      async run({ tool, args }, { scope }) {
        const about = Object.hasOwn(tools, tool) ? tools[tool] : undefined
        if (about === undefined) return proceed
        const all = [
          ...(about.read ?? []).map((key) => ({ key, isWritten: false })),
          ...(about.write ?? []).map((key) => ({ key, isWritten: true })),
        ]
        for (const { key, isWritten } of all) {
          if (!Object.hasOwn(args, key)) continue
          const value = args[key]
          for (const path of Array.isArray(value) ? value : [value]) {
            const why = await refusal(path, isWritten, scope.cwd)
            if (why !== undefined) return reject(why)
          }
        }
        return proceed
      },
    })
    return [guard]
  },
})
