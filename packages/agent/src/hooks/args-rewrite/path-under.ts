/**
 * A path as it is below a folder: wherever it points, and however it climbs, it
 * cannot be written to leave it. What is below the folder already stays there.
 */
export function pathUnder(folder: string, path: string): string {
  const below = partsOf(path)
  const root = partsOf(folder)
  const isBelow = root.every((part, at) => below[at] === part)
  const left = isBelow ? below.slice(root.length) : below
  const isAbsolute = folder.startsWith('/')
  return `${isAbsolute ? '/' : ''}${[...root, ...left].join('/')}`
}

/** The parts of a path, after every step up; none leads above the first. */
function partsOf(path: string): readonly string[] {
  const parts: string[] = []
  // Windows takes both, and what is a drive there is no name elsewhere.
  for (const part of path.split(/[/\\]/)) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.' && !/^[a-z]:$/i.test(part)) {
      parts.push(part)
    }
  }
  return parts
}
