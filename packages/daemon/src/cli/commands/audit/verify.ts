import type { AuditReport } from '@hookline/agent/durable'
import { CliError } from '../../cli-error.ts'
import type { Subcommand } from '../../command.ts'
import type { Output } from '../../output/output.ts'
import { plainLine } from '../../output/plain-text.ts'
import { withProgress } from '../../output/progress.ts'

export const verifyCommand: Subcommand = {
  name: 'verify',
  summary: 'Check that nothing on record was changed, added or removed.',
  about:
    'What can be cut off at its end unseen is cut off by nobody who does not also reach the anchors: ends of the log that were written down elsewhere.',
  options: [
    {
      flags: '--anchors <file>',
      about: 'Ends of the log that you have kept, one in JSON on each line.',
      takes: 'file',
    },
  ],
  examples: [
    { command: 'hookline audit verify', about: 'Exit code 1: it was changed.' },
  ],
  async run({ connect, options, output }) {
    const file = options.text('anchors')
    const anchors = file === undefined ? undefined : await readAnchors(file)
    const client = await connect()
    const work = client.verifyAudit(anchors === undefined ? {} : { anchors })
    const told: ToldReport = await withProgress(
      output,
      'Reading all of it',
      work,
    )
    if (output.isJson) output.json(told)
    else output.line(renderReport(told, output))
    return told.isIntact === true ? 'ok' : 'failed'
  },
}

/** As data has it: what was undefined is not there. */
type ToldReport = Partial<AuditReport>

async function readAnchors(file: string) {
  const { readFileAnchors } = await import('@hookline/agent/durable')
  let anchors: Awaited<ReturnType<typeof readFileAnchors>>
  try {
    anchors = await readFileAnchors(file)
  } catch (cause) {
    const message = `The anchors in "${file}" cannot be read.`
    throw new CliError('not-found', message, { cause })
  }
  if (anchors.length > 0) return [...anchors]
  throw new CliError('usage', `There is no anchor in "${file}".`, {
    hint: 'Each is a line such as {"seq":7,"hash":"…"}.',
  })
}

function renderReport(report: ToldReport, output: Output): string {
  const { isIntact, from = 1, upTo = 0, anchoredUpTo = 0 } = report
  const { recovered = [], problem } = report
  const lines =
    isIntact === true
      ? [
          output.style('green', 'The log is whole.'),
          `Records ${from} to ${upTo} are as they were written.`,
          anchoredUpTo > 0
            ? `Up to ${anchoredUpTo} nothing can have been cut off or rewritten.`
            : 'There is no anchor: what was cut off at its end would not be seen.',
        ]
      : [
          output.style('red', 'The log was changed.'),
          plainLine(
            `Record ${problem?.seq ?? '?'}: ${problem?.message ?? 'it is not whole'} (${problem?.what ?? 'unknown'})`,
          ),
          `Up to ${upTo} nothing was changed, as far as anybody can tell.`,
        ]
  const broken =
    recovered.length === 0
      ? []
      : [`A crash broke ${recovered.length} records: ${recovered.join(', ')}.`]
  return [...lines, ...broken].join('\n')
}
