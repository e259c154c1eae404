import { dirname } from 'node:path'
import { compileNames } from './match-names.ts'
import { isWithin } from './real-path.ts'

/**
 * A pattern over a path: `*` and `?` stay within a folder, `**` goes through
 * any number of them. One without a slash is about names anywhere, files and
 * folders; what is in such a folder fits, too. One that begins with no slash is
 * about what is below the folders that are given. Case does not count: some
 * file systems do not know it.
 */
export function compilePathPattern(
  pattern: string,
  home: string,
): (path: string, below: readonly string[]) => boolean {
  const isAnywhere = !pattern.replace(/\/$/, '').includes('/')
  const isBelow = !isAnywhere && !/^(?:[/~]|\*\*)/.test(pattern)
  const whole = isAnywhere
    ? `**/${pattern}`
    : pattern.replace(/^~(?=\/|$)/, home).replace(leadingUp, '')
  const up = leadingUp.exec(pattern)?.[0].split('..').slice(1) ?? []
  const names = compileNames(`${plainName(whole)}/**`)
  const fits = (path: string) => names(namesIn(path))
  if (!isBelow) return fits
  return (path, below) =>
    below
      .map((folder) => up.reduce((from) => dirname(from), folder))
      .some((from) => isWithin(from, path) && fits(path.slice(from.length)))
}

const leadingUp = /^(?:\.{0,2}\/)*\.\.(?:\/|$)/

/** Some file systems leave out dots and blanks at the end of a name. */
function namesIn(path: string): readonly string[] {
  return plainName(path)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replace(/[. ]+$/, '') || part)
}

/** Signs that cannot be seen, and forms of one letter, are left out. */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
}
