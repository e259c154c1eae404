const maxAlternatives = 64

/**
 * A pattern over a whole text: `*` any run of characters, `?` one character,
 * `{a,b}` either. Case-sensitive. Takes at most pattern × text steps: there is
 * no input that makes it hang.
 */
export function compileGlob(pattern: string): (text: string) => boolean {
  const alternatives = expandBraces(pattern)
  return (text) => alternatives.some((glob) => matchesWildcards(glob, text))
}

function expandBraces(pattern: string): string[] {
  let expanded = ['']
  let rest = pattern
  for (;;) {
    const open = rest.indexOf('{')
    if (open < 0) break
    const close = rest.indexOf('}', open)
    const nested = rest.indexOf('{', open + 1)
    if (close < 0 || (nested >= 0 && nested < close)) {
      throw new Error('braces must be closed and cannot be nested')
    }
    const head = rest.slice(0, open)
    const choices = rest.slice(open + 1, close).split(',')
    expanded = expanded.flatMap((sofar) =>
      choices.map((choice) => sofar + head + choice),
    )
    if (expanded.length > maxAlternatives) {
      throw new Error(`braces give more than ${maxAlternatives} patterns`)
    }
    rest = rest.slice(close + 1)
  }
  return expanded.map((sofar) => sofar + rest)
}

function matchesWildcards(glob: string, text: string): boolean {
  let at = 0
  let on = 0
  // Where to go back to: only the last star can still take more characters.
  let star = -1
  let taken = 0
  while (on < text.length) {
    if (glob[at] === '*') {
      star = at++
      taken = on
    } else if (glob[at] === '?') {
      at++
      on = next(text, on)
    } else if (glob[at] === text[on]) {
      at++
      on++
    } else if (star >= 0) {
      at = star + 1
      taken = next(text, taken)
      on = taken
    } else {
      return false
    }
  }
  while (glob[at] === '*') at++
  return at === glob.length
}

/** The index after the character there, which may take two code units. */
function next(text: string, index: number): number {
  return index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1)
}
