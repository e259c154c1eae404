import { compileCondition } from 'hookline'

type Segment = '**' | ((name: string) => boolean)

/**
 * A pattern over a path: `*` and `?` stay within a folder, `**` goes through
 * any number of them. One without a slash is about names anywhere, files and
 * folders; what is in such a folder fits, too. Case does not count: some file
 * systems do not know it.
 */
export function compilePathPattern(
  pattern: string,
  home: string,
): (path: string) => boolean {
  const whole = pattern.includes('/')
    ? pattern.replace(/^~(?=\/|$)/, home)
    : `**/${pattern}`
  const segments = plainName(whole)
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map((part): Segment => (part === '**' ? part : compileCondition(part)))
  return (path) => {
    const names = plainName(path)
      .split('/')
      .filter((part) => part !== '')
    return matches([...segments, '**'], names)
  }
}

/** Signs that cannot be seen, and forms of one letter, are left out. */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
}

/** Takes at most segments × names steps, whatever the pattern. */
function matches(
  segments: readonly Segment[],
  names: readonly string[],
): boolean {
  let at = 0
  let on = 0
  let star = -1
  let taken = 0
  while (on < names.length) {
    const segment = segments[at]
    if (segment === '**') {
      star = at++
      taken = on
    } else if (segment?.(names[on] ?? '')) {
      at++
      on++
    } else if (star >= 0) {
      at = star + 1
      on = ++taken
    } else {
      return false
    }
  }
  while (segments[at] === '**') at++
  return at === segments.length
}
