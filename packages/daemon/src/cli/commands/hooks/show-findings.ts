import type { Finding } from '@hookline/agent/config'
import type { Output } from '../../output/output.ts'
import { plainLine } from '../../output/plain-text.ts'

const styles = { error: 'red', warning: 'yellow', note: 'dim' } as const

/** Findings as editors and people read them, and how many there are. */
export function showFindings(
  findings: readonly Finding[],
  output: Output,
): void {
  for (const { file, place, severity, code, message, suggestion } of findings) {
    const where = `${plainLine(file)}:${place.line}:${place.column}`
    const what = output.style(styles[severity], severity)
    const more = suggestion === undefined ? '' : ` Write: ${suggestion}`
    output.line(
      `${where}: ${what}: ${plainLine(`${message}${more}`)} [${plainLine(code)}]`,
    )
  }
  if (findings.length === 0) output.note('Nothing is wrong with it.')
}
