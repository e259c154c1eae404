import type { Subcommand } from '../../command.ts'
import { rootOption } from '../../global-options.ts'
import type { Output } from '../../output/output.ts'
import { plainLine } from '../../output/plain-text.ts'
import { type LoadedHere, loadHere } from './load-here.ts'

export const checkCommand: Subcommand = {
  name: 'check',
  summary: 'Say everything that is wrong with the configuration.',
  about:
    'Needs no daemon. Runs no hook; a file that is code runs in a process of its own, for 10 seconds at most.',
  isDefault: true,
  options: [rootOption],
  examples: [
    {
      command: 'hookline config check',
      about: 'Exit code 1: there are errors.',
    },
  ],
  async run(context) {
    const { output } = context
    const loaded = await loadHere(context)
    const { problems, refusal, config } = loaded
    if (output.isJson) {
      const { sources } = config
      output.json({
        sources,
        problems,
        ...(refusal !== undefined && { refusal }),
      })
    } else showProblems(loaded, output)
    const isBad =
      refusal !== undefined ||
      problems.some(({ severity }) => severity === 'error')
    return isBad ? 'failed' : 'ok'
  },
}

const styles = { error: 'red', warning: 'yellow' } as const

function showProblems(
  { config, problems, refusal }: LoadedHere,
  output: Output,
): void {
  for (const problem of problems) {
    const { file, line, column, severity, message, code } = problem
    const where = plainLine(`${file}:${line}:${column}`)
    const what = output.style(styles[severity], severity)
    output.line(`${where}: ${what}: ${plainLine(message)} [${plainLine(code)}]`)
  }
  for (const { file, layer, state } of config.sources) {
    output.note(plainLine(`${file} (${layer}): ${state}`))
  }
  if (config.sources.length === 0) {
    output.note('There is no file; "hookline init" writes one.')
  }
  const isWhole = problems.every(({ severity }) => severity !== 'error')
  if (refusal !== undefined) {
    output.note(output.noteStyle('red', 'A daemon does not start with this.'))
  } else if (isWhole) {
    output.note(output.noteStyle('green', 'A daemon starts with this.'))
  }
}
