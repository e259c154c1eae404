import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { FSWatcher } from 'chokidar'
import { type ConfigPlaces, configFolders } from './places.ts'

export interface FileWatch {
  /**
   * Looks whether folders have come or gone, so that others are to be watched.
   * Beside the files of the layers those are watched that they name.
   */
  refresh(named?: readonly string[]): Promise<boolean>
  close(): Promise<void>
}

interface FileWatchOptions {
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/** Watches all files of all layers, those that are not there yet included. */
export async function watchFiles(
  places: ConfigPlaces,
  options: FileWatchOptions,
): Promise<FileWatch> {
  const own = watchedFiles(places)
  let watched = ''
  let watcher: FSWatcher | undefined
  const refresh = async (named: readonly string[] = []) => {
    const files = [...own, ...named]
    const found = rootsOf(files)
    const wanted = JSON.stringify([found, named])
    if (wanted === watched) return false
    watched = wanted
    const before = watcher
    watcher = await watchRoots(found, files, options)
    await before?.close()
    return true
  }
  await refresh()
  return { refresh, close: async () => watcher?.close() }
}

function watchedFiles(places: ConfigPlaces): readonly string[] {
  const inFolders = configFolders(places).flatMap(({ folder, names }) => {
    return names.map((name) => join(folder, name))
  })
  const named = (places.files ?? []).map((file) => resolve(file))
  return [...inFolders, ...named]
}

/** The nearest folders above files that are there. */
function rootsOf(files: readonly string[]): readonly string[] {
  const roots = files.map((file) => nearestFolder(dirname(file)))
  return [...new Set(roots)].sort()
}

function nearestFolder(folder: string): string {
  const above = dirname(folder)
  return above === folder || existsSync(folder) ? folder : nearestFolder(above)
}

async function watchRoots(
  roots: readonly string[],
  files: readonly string[],
  { onChange, onError }: FileWatchOptions,
): Promise<FSWatcher> {
  const { watch } = await import('chokidar')
  const wanted = new Set(files.flatMap((file) => [file, ...foldersAbove(file)]))
  const watcher = watch([...roots], {
    // Everything else in those folders is none of our business.
    ignored: (path) => !wanted.has(resolve(path)),
    ignoreInitial: true,
    atomic: false,
  })
  watcher.on('all', onChange)
  watcher.on('error', onError)
  await new Promise<void>((done) => {
    watcher.once('ready', done)
  })
  return watcher
}

function foldersAbove(file: string): readonly string[] {
  const above = dirname(file)
  return above === file ? [] : [above, ...foldersAbove(above)]
}
