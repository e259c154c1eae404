import { compileCondition } from 'hookline'

type Segment = '**' | ((name: string) => boolean)

/**
 * A pattern over a path: `*` and `?` stay within a folder, `**` goes through
 * any number of them. One without a slash is about names anywhere.
 */
export function compilePathGlob(pattern: string): (path: string) => boolean {
  const whole = pattern.includes('/') ? pattern : `**/${pattern}`
  const segments = whole
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map((part): Segment => (part === '**' ? part : compileCondition(part)))
  return (path) => matches(segments, path.split('/'))
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
