import { isAbsolute, relative } from 'node:path'
import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { isWithin } from '../../../paths/real-path.ts'
import { startFoldersIn } from '../../../paths/start-folder.ts'
import { folderBelow } from '../shell/folder-below.ts'
import { type Folder, joinFolders } from '../shell/shell-state.ts'
import { any } from '../shell/word.ts'
import { plainPath } from '../shell/word-classes.ts'

/** Where a call has its command run, the most likely folder first. */
export function startFolders(
  args: JsonObject,
  cwd: string | undefined,
): readonly Folder[] {
  const given = startFoldersIn(args)
  if (given.length === 0) return ['start']
  return joinFolders(given.flatMap((one) => foldersOf(one, cwd)))
}

function foldersOf(
  given: JsonValue,
  cwd: string | undefined,
): readonly Folder[] {
  if (typeof given !== 'string' || given.includes(any)) return ['unknown']
  const path = plainPath(given)
  if (path === '.') return ['start']
  const told = folderBelow('start', path)
  if (cwd === undefined || !isAbsolute(cwd) || !isWithin(cwd, path)) {
    return [told]
  }
  // As rules mostly say it: from here.
  const below = relative(cwd, path)
  return below === '' ? ['start'] : [folderBelow('start', below), told]
}
