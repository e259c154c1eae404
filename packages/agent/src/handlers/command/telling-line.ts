/**
 * The line of an error output that says most. Python ends with it, Node has it
 * between the code and the stack, and shells end with what stopped them.
 */
export function tellingLine(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => /\S/.test(line))
  // What is indented is the code, the stack, or what an error holds.
  const outer = lines.filter((line) => /^\S/.test(line) && !isFooter(line))
  const line =
    outer.findLast((one) => errorName.test(one)) ??
    outer.findLast((one) => word.test(one)) ??
    lines.at(-1)
  return line?.trim() ?? ''
}

const errorName = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b/
const word = /\p{L}/u

/** What runtimes print last, whatever went wrong. */
function isFooter(line: string): boolean {
  return /^(?:Node\.js v\d|\(Use `node |note: )/.test(line)
}
