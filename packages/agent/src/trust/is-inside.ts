import { isAbsolute, relative, sep } from 'node:path'

/** Whether a path is a folder or anything below it; both without `..`. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return (
    way === '' ||
    (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
  )
}
