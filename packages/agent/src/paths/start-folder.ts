import type { JsonObject, JsonValue } from 'hookline/lifecycle'

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
