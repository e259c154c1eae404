import type { Subcommand } from '../../command.ts'
import { withRecords } from '../../connect/with-records.ts'
import { noteInspector } from '../../open/note-inspector.ts'
import { askWhy } from './ask-why.ts'
import { missingWords, renderWhy } from './render-why.ts'

export const whyCommand: Subcommand = {
  name: 'why',
  summary: 'Say why a call was allowed or denied.',
  arguments: [{ name: '<call>', about: 'Its id; "runs list" shows it.' }],
  options: [
    { flags: '--session <id>', about: 'In which session it is.' },
    { flags: '--turn <id>', about: 'In which turn it is.' },
  ],
  examples: [
    {
      command: 'hookline runs why <call>',
      about: 'Who had a say, in order, and what came of it.',
    },
  ],
  run: (context) =>
    withRecords(context, async ({ client, daemon }) => {
      const { args, options, output } = context
      const sessionId = options.text('session')
      const turnId = options.text('turn')
      const wanted = {
        callId: args[0] ?? '',
        ...(sessionId !== undefined && { sessionId }),
        ...(turnId !== undefined && { turnId }),
      }
      const why = await askWhy(client, wanted, output)
      if (output.isJson) {
        output.json(why)
        return undefined
      }
      output.line(renderWhy(why, output))
      const missing = missingWords(why)
      if (missing !== undefined) output.note(missing)
      const where = new URLSearchParams({
        session: why.sessionId,
        turn: why.turnId,
      })
      const path = `/calls/${encodeURIComponent(why.callId)}?${where}`
      if (daemon) await noteInspector(context, daemon, path)
      return undefined
    }),
}
