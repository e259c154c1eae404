import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

const quietMs = 250

interface Watched {
  readonly watcher: FSWatcher
  /** What it watches, whatever has the name by now. */
  readonly inode: number
}

/** Calls back when something in the folders has changed, once it is quiet. */
export function watchRoots(
  roots: readonly string[],
  onChange: () => Promise<void>,
): () => Promise<void> {
  const watched = new Map<string, Watched>()
  let timer: NodeJS.Timeout | undefined
  let work = Promise.resolve()
  let isClosed = false

  const notice = () => {
    clearTimeout(timer)
    if (isClosed) return
    timer = setTimeout(() => {
      // What was not there before may be now.
      watchAll()
      // What cannot be read now leaves everything as it is.
      work = work.then(onChange).catch(() => {})
    }, quietMs)
    timer.unref()
  }
  const forget = (folder: string) => {
    watched.get(folder)?.watcher.close()
    watched.delete(folder)
  }
  const watchOne = (folder: string, names: readonly string[] | undefined) => {
    try {
      const inode = statSync(folder).ino
      if (watched.get(folder)?.inode === inode) return
      forget(folder)
      const options = { recursive: names === undefined, persistent: false }
      const watcher = watch(folder, options, (_, name) => {
        if (names === undefined || names.includes(name ?? '')) notice()
      })
      watcher.on('error', () => {
        forget(folder)
        notice()
      })
      watched.set(folder, { watcher, inode })
    } catch {
      forget(folder)
    }
  }
  /** Also where the roots are: one may come, or be put in place of another. */
  const watchAll = () => {
    for (const root of roots) {
      const above = dirname(root)
      const beside = roots.filter((one) => dirname(one) === above)
      // A root in a root is watched with it.
      if (!roots.includes(above))
        watchOne(
          above,
          beside.map((one) => basename(one)),
        )
      watchOne(root, undefined)
    }
  }
  watchAll()

  return async () => {
    isClosed = true
    clearTimeout(timer)
    for (const folder of [...watched.keys()]) forget(folder)
    await work
  }
}
