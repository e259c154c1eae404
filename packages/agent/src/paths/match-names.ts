import { compileCondition } from 'hookline'

type Segment = '**' | ((name: string) => boolean)

/**
 * A pattern over the names that a path is made of: `*` and `?` stay within a
 * name, `**` stands for any number of them.
 */
export function compileNames(
  pattern: string,
): (names: readonly string[]) => boolean {
  const segments = pattern
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map((part): Segment => (part === '**' ? part : compileCondition(part)))
  return (names) => matches(segments, names)
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
