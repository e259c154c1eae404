/** As a rule: whatever holds more than a name may hide the end of it. */
export const parameter = /\{[^\s'"\\`${}<>()|&;]*\}|[A-Za-z_]\w*|[\d@*#?!$-]/y
/** Behind a `$`; a backslash stands for other signs there. */
export const ansiQuoted = /'((?:[^'\\]|\\[\s\S])*)'/y
export const redirection = /<<<|<>|<&|<|>>|>&|>\||>|&>>|&>/y

export function endOfLine(line: string, at: number): number {
  const end = line.indexOf('\n', at)
  return end === -1 ? line.length : end
}

/** With a sticky expression. */
export function matchAt(
  pattern: RegExp,
  text: string,
  at: number,
): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}
