const escaped =
  /\\(?:x\{?([0-9a-fA-F]{1,8})\}?|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g

const named: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** The text of `$'…'`, as of `echo -e` and of the format of printf. */
export function readEscapes(text: string): string {
  return text.replace(
    escaped,
    (_, x?: string, u?: string, U?: string, o?: string, c?: string, one = '') =>
      sign(x ?? u ?? U, 16) ??
      sign(o, 8) ??
      (c === undefined
        ? undefined
        : String.fromCharCode(c.charCodeAt(0) & 31)) ??
      named[one] ??
      one,
  )
}

function sign(digits: string | undefined, base: number): string | undefined {
  if (digits === undefined) return undefined
  const code = Number.parseInt(digits, base)
  return code > 0x10_ff_ff ? '\ufffd' : String.fromCodePoint(code)
}
