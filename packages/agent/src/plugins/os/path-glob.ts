import { compileNames } from '../../paths/match-names.ts'

/**
 * A pattern over a path: `*` and `?` stay within a folder, `**` goes through
 * any number of them. One without a slash is about names anywhere.
 */
export function compilePathGlob(pattern: string): (path: string) => boolean {
  const fits = compileNames(pattern.includes('/') ? pattern : `**/${pattern}`)
  return (path) => fits(path.split('/'))
}
