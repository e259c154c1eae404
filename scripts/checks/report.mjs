/**
 * What a check found. The line counts from 1.
 * @typedef {{ file: string, line: number, message: string }} Problem
 */

/**
 * Prints the problems, or the summary when there is none, and sets the exit
 * code.
 * @param {readonly Problem[]} problems
 * @param {string} summary
 */
export function report(problems, summary) {
  for (const { file, line, message } of problems) {
    console.error(`${file}:${line}: ${message}`)
  }
  if (problems.length === 0) console.log(summary)
  process.exitCode = problems.length === 0 ? 0 : 1
}
