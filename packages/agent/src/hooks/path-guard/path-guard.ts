import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, sep } from 'node:path'
import { defineHook, proceed, reject, transform } from 'hookline'
import { type JsonObject, toolGuard, toolPostCall } from 'hookline/lifecycle'
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
import { type CallPlace, meaningsIn } from '../../paths/start-folder.ts'
import {
  defaultNoWrite,
  defaultSecret,
  osTools,
  type PathArguments,
  searchTools,
} from './default-paths.ts'
import { hasLines, withoutDenied } from './denied-lines.ts'
import { foundNames } from './found-names.ts'

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
      place: CallPlace,
    ): Promise<string | undefined> {
      const { cwd } = place
      const meanings = await meaningsIn(path, place)
      const hasFolder = cwd !== undefined && isAbsolute(cwd)
      if (meanings.length === 0) {
        const isForWant = !hasFolder && (await meaningsOf(path, sep)).length > 0
        return isForWant ? noFolder : 'Where a path leads cannot be told.'
      }
      const allowed = [...roots, ...(isWritten ? [] : readOnly)]
      const folders = await realFolders(allowed, cwd)
      if (folders.length === 0 && !hasFolder) return noFolder
      const isInside = meanings.every((meaning) =>
        folders.some((folder) => isWithin(folder, meaning)),
      )
      if (!isInside)
        return `"${String(path)}" is outside of the folders to use.`
      const patterns = isWritten ? [...denied, ...notWritten] : denied
      if (!(await fitsAny(patterns, meanings, cwd))) return undefined
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
          ...pathsRead(tool, about, args).map((path) => [path, false] as const),
          ...pathsIn(args, about.write).map((path) => [path, true] as const),
        ]
        const place = placeOf(about, args, scope.cwd)
        for (const [path, isWritten] of all) {
          const why = await refusal(path, isWritten, place)
          if (why !== undefined) return reject(why)
        }
        return proceed
      },
    })
    const results = defineHook({
      name: `${name}:results`,
      on: toolPostCall,
      handler: { version: '1' },
      // As early as can be: it reads what the tool itself has printed.
      priority: 900,
      writes: true,
      match: ({ call }) => Object.hasOwn(tools, call.tool),
      async run({ call, result }, { scope, diagnose }) {
        if (!hasLines(result)) return proceed
        const { cwd } = scope
        const about = tools[call.tool] ?? {}
        const read = pathsRead(call.tool, about, call.args)
        const folders = await foldersOf(read, placeOf(about, call.args, cwd))
        if (folders.length === 0) return proceed
        const isPlain = call.owner === osOwner
        const searched = { folders, cwd, denied, isPlain }
        const made = await withoutDenied(result, foundNames(searched))
        if (made.taken === 0) return proceed
        diagnose('lines-withheld', `${made.taken} lines of denied files.`)
        return transform(made.result)
      },
    })
    return [guard, results]
  },
})

const noFolder =
  'The session has no folder that paths could be from; open it with one (`cwd`), or give the guard absolute `roots` and the tool an absolute path.'

/** The plugin whose tools print names as they are below the folder searched. */
const osOwner = 'os'

type Fits = ReturnType<typeof compilePathPattern>

async function fitsAny(
  patterns: readonly Fits[],
  meanings: readonly string[],
  cwd: string | undefined,
): Promise<boolean> {
  const here = await realFolders(['.'], cwd)
  return patterns.some((fits) =>
    meanings.some((meaning) => fits(meaning, here)),
  )
}

function placeOf(
  { read = [], write = [] }: PathArguments,
  args: JsonObject,
  cwd: string | undefined,
): CallPlace {
  return { cwd, args, judged: [...read, ...write] }
}

function pathsRead(
  tool: string,
  { read = [] }: PathArguments,
  args: JsonObject,
): readonly unknown[] {
  const isGiven = read.some((key) => Object.hasOwn(args, key))
  const isHere = !isGiven && read.length > 0 && searchTools.has(tool)
  return isHere ? ['.'] : pathsIn(args, read)
}

function pathsIn(
  args: JsonObject,
  keys: readonly string[] = [],
): readonly unknown[] {
  return keys
    .filter((key) => Object.hasOwn(args, key))
    .flatMap((key) => args[key])
}

/** All that paths can mean, but those that are single files. */
async function foldersOf(
  given: readonly unknown[],
  place: CallPlace,
): Promise<readonly string[]> {
  const all = await Promise.all(given.map((path) => meaningsIn(path, place)))
  const found = await Promise.all(
    all.flat().map(async (path) => {
      const stats = await stat(path).catch(() => undefined)
      return stats?.isFile() ? [] : [path]
    }),
  )
  return found.flat()
}
