import { lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isInside } from './confine.ts'
import { sidecarsOf } from './protected-paths.ts'

/**
 * What a store keeps beside its file, as far as it is there: whoever writes
 * that writes the store. The host makes and removes it at any time, so that it
 * is only kept from being changed. What is not there yet can be made by a
 * command, unless the folder holds nothing else: then it is the folder.
 */
export async function findBeside(
  paths: readonly string[],
  roots: readonly string[],
): Promise<readonly string[]> {
  const known = new Set(paths.flatMap((path) => [path, ...sidecarsOf(path)]))
  const found = new Set<string>()
  for (const path of paths) {
    const stat = await lookAt(path)
    if (stat === undefined || stat.isDirectory()) continue
    const folder = dirname(path)
    const isBelow = isInside({ roots }, folder) && !roots.includes(folder)
    if (isBelow && (await holdsOnly(folder, known))) {
      found.add(folder)
      continue
    }
    for (const one of sidecarsOf(path)) {
      if ((await lookAt(one)) !== undefined) found.add(one)
    }
  }
  return [...found]
}

async function holdsOnly(
  folder: string,
  known: ReadonlySet<string>,
): Promise<boolean> {
  // Of a folder that nobody may look into it is not known.
  const names = await readdir(folder).catch(() => undefined)
  return names?.every((name) => known.has(join(folder, name))) ?? false
}

async function lookAt(path: string) {
  return await lstat(path).catch(() => undefined)
}
