import type { OutputOf } from '../../../protocol/operations.ts'
import { policyWords } from '../../../protocol/words/policy-words.ts'
import type { Subcommand } from '../../command.ts'
import type { CommandContext } from '../../command-context.ts'
import { withRecords } from '../../connect/with-records.ts'
import { noteInspector } from '../../open/note-inspector.ts'
import { plainLine, plainText } from '../../output/plain-text.ts'
import { renderFields } from '../../output/table.ts'
import { duration, localTime } from '../../output/times.ts'

export const showCommand: Subcommand = {
  name: 'show',
  summary: 'Show one run of a hook: what it was given, and what it said.',
  arguments: [{ name: '<run>', about: 'Its id.' }],
  examples: [
    {
      command: 'hookline runs show <run>',
      about: 'What it was given is there only where it is kept.',
    },
  ],
  run: (context) =>
    withRecords(context, async ({ client, daemon }) => {
      const { args, output } = context
      const run = await client.getRun({ runId: args[0] ?? '' })
      if (output.isJson) {
        output.json(run)
        return undefined
      }
      showRun(context, run)
      const path = `/runs/${encodeURIComponent(run.id)}`
      if (daemon) await noteInspector(context, daemon, path)
      return undefined
    }),
}

type Run = OutputOf<'getRun'>

function showRun({ output }: CommandContext, run: Run): void {
  const { failure, latencyMs, deadlineMs, contributions, content } = run
  const kinds = contributions.map(({ kind }) => kind).join(', ')
  const fields = renderFields(
    [
      ['run', run.id],
      ['hook', run.hook],
      ['point', run.point],
      ['state', run.note ? `${run.state}: ${run.note}` : run.state],
      ['mode', run.mode],
      ['answer', run.answer],
      ['reason', run.reason],
      ['decided', run.decided ? 'yes, this ended the dispatch' : undefined],
      ['failure', failure && `${failure.code}: ${failure.message}`],
      ['policy', run.policy && policyWords(run.policy, run.failedOpen)],
      ['adds', kinds],
      ['began', localTime(run.startedAt)],
      ['took', latencyMs === undefined ? undefined : duration(latencyMs)],
      ['limit', deadlineMs === undefined ? undefined : duration(deadlineMs)],
      ['attempt', run.attempt > 1 ? run.attempt : undefined],
      ['agent', run.agent],
      ['session', run.sessionId],
      ['turn', run.turnId],
      ['call', run.callId],
      ['dispatch', run.dispatch],
      ['inside', run.inside],
      ['handler', run.handler && JSON.stringify(run.handler)],
      ['late', run.late === undefined ? '' : JSON.stringify(run.late)],
      ['daemon', run.worker],
    ],
    (style, text) => output.style(style, text),
  )
  output.line(fields)
  for (const diagnostic of run.diagnostics) {
    output.line(`  ${plainLine(diagnosticWords(diagnostic))}`)
  }
  // One attempt says what is said above.
  const attempts = run.attempts.length > 1 ? run.attempts : []
  if (attempts.length > 0) output.line('attempts')
  for (const attempt of attempts) {
    output.line(`  ${plainLine(JSON.stringify(attempt))}`)
  }
  if (content === undefined) {
    output.note(
      'What it was given is not kept; "store: { content: { runs: redacted } }" keeps it.',
    )
    return
  }
  output.line(output.style('dim', 'given'))
  output.line(plainText(content))
}

/** Who may see it was asked before; the rest is what there is to say. */
function diagnosticWords(diagnostic: unknown): string {
  const { code, message, safeForUser: _, ...rest } = Object(diagnostic)
  const data = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`
  return `${String(code)}: ${String(message)}${data}`
}
