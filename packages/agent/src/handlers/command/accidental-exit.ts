/**
 * Whether an exit with code 2 looks like an accident: interpreters and many
 * tools also use it for "cannot open file", "syntax error" and "usage". It
 * is a veto all the same; but somebody should be told that no hook has run.
 */
export function isAccidentalExit(stderr: string): boolean {
  const start = stderr.slice(0, searched)
  return accidents.some((accident) => accident.test(start))
}

const searched = 8_192

const accidents = [
  /can't open file/i,
  /cannot open/i,
  /no such file/i,
  /command not found/i,
  /syntax error/i,
  /^usage:/im,
  /unexpected EOF/i,
  /Cannot find module/,
  /: not found$/m,
]
