import type { ConfigState } from '../protocol/schemas/config.ts'
import type { Output } from './output/output.ts'
import { plainLine } from './output/plain-text.ts'

/** What configuration came to, for people. */
export function renderConfigState(state: ConfigState, output: Output): string {
  const { sources, problems, doubts, untrusted, refusal, needsRestart } = state
  const files = sources.map(
    ({ file, layer, state: read }) =>
      `${plainLine(file)} (${plainLine(layer)}): ${plainLine(read)}`,
  )
  const bad = [...problems, ...doubts].map((problem) => {
    const { file, line, column, message } = problem
    const place = [file, line, column].filter((part) => part !== undefined)
    const where = place.length === 0 ? '' : `${place.join(':')}: `
    return output.style('yellow', plainLine(`${where}${message}`))
  })
  const verdict =
    refusal === undefined
      ? output.style('green', 'The configuration is in force.')
      : output.style(
          'red',
          `What was loaded earlier stays in force: ${plainLine(refusal)}`,
        )
  const trust =
    untrusted === 0
      ? []
      : [
          `${untrusted} hooks of the project do nothing until you trust them: hookline hooks trust`,
        ]
  const later =
    needsRestart.length === 0
      ? []
      : [
          `Changed, and in force when the daemon is started again: ${needsRestart.map(plainLine).join(', ')}`,
        ]
  return [...files, ...bad, ...trust, ...later, verdict].join('\n')
}
