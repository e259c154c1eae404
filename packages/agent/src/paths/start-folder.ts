import { isAbsolute } from 'node:path'
import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { meaningsOf } from './real-path.ts'

/** Arguments by which tools are told where to run a command: ours is `cwd`. */
const keys = [
  ...['cwd', 'workdir', 'working_directory', 'workingDirectory'],
  ...['directory', 'dir_path'],
]

/** The folders that a call names for its command; none: it runs here. */
export function startFoldersIn(args: JsonObject): readonly JsonValue[] {
  return keys.flatMap((key) => {
    const given = Object.hasOwn(args, key) ? args[key] : undefined
    return given === undefined || given === '' ? [] : [given]
  })
}

export interface CallPlace {
  readonly cwd: string | undefined
  readonly args: JsonObject
  /** Arguments that are judged as paths themselves. */
  readonly judged: readonly string[]
}

/**
 * All that a path in a call can mean: from the working folder, and from the
 * folder that the call names for what it does. None: that cannot be told.
 */
export async function meaningsIn(
  given: unknown,
  { cwd, args, judged }: CallPlace,
): Promise<readonly string[]> {
  const here = await meaningsOf(given, cwd)
  if (typeof given !== 'string' || isAbsolute(given)) return here
  const others = Object.entries(args).filter(([key]) => !judged.includes(key))
  const found = [here]
  for (const folder of startFoldersIn(Object.fromEntries(others))) {
    const starts = await meaningsOf(folder, cwd)
    if (starts.length === 0) return []
    for (const start of starts) found.push(await meaningsOf(given, start))
  }
  return found.some((one) => one.length === 0) ? [] : [...new Set(found.flat())]
}
