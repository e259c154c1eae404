import type { StreamItem } from '../../protocol/schemas/events.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { plainLine } from '../output/plain-text.ts'
import { localTime } from '../output/times.ts'
import { createOutputSink } from '../turn/sink.ts'
import { turnWords } from '../turn/turn-exit.ts'
import { createTurnView } from '../turn/turn-view.ts'

export const command: Command = {
  about: 'Goes on until it is interrupted.',
  options: [
    { flags: '--session <id>', about: 'Of one session.' },
    { flags: '--from-start', about: 'From the oldest that is kept.' },
    { flags: '-v, --verbose', about: 'Also what usually says nothing new.' },
  ],
  examples: [
    { command: 'hookline logs', about: 'What happens from now on.' },
    {
      command: 'hookline logs --json | grep tool-end',
      about: 'One event on each line.',
    },
  ],
  async run(context) {
    const { connect, options, output } = context
    const client = await connect()
    const from = options.flag('fromStart') ? { fromStart: true } : {}
    const sessionId = options.text('session')
    const items =
      sessionId === undefined
        ? client.watchAll(from)
        : client.watchSession({ sessionId, ...from })
    const show = output.isJson ? undefined : createShow(context)
    for await (const item of items) {
      if (show === undefined) output.jsonLine(item)
      else show(item)
    }
    return undefined
  },
}

function createShow({ output, options }: CommandContext) {
  const sink = createOutputSink(output)
  let place = ''
  // Here, what happens is the result.
  const view = createTurnView({
    sink: {
      ...sink,
      note(line) {
        sink.endText()
        output.line(line)
      },
    },
    style: (style, text) => output.style(style, text),
    columns: () => (output.isTerminal ? output.columns : Infinity),
    isVerbose: options.flag('verbose'),
  })
  return (item: StreamItem) => {
    if (item.type === 'event') {
      const { sessionId, turnId, path } = item.event
      const here = `${sessionId} ${path.join(' › ')} ${turnId}`
      if (here !== place) {
        sink.endText()
        const when = localTime(item.at)
        output.line(output.style('dim', plainLine(`── ${when} ${here}`)))
      }
      place = here
      view(item.event)
      if (item.event.type !== 'turn-end') return
      sink.endText()
      output.line(output.style('dim', `── ${turnWords[item.event.status]}.`))
      return
    }
    sink.endText()
    output.line(output.style('dim', plainLine(describe(item))))
  }
}

function describe(item: Exclude<StreamItem, { type: 'event' }>): string {
  if (item.type === 'reset') return `── The stream begins anew: ${item.reason}`
  if (item.type === 'lagged') return `── ${item.missed} events were left out`
  const data = item.data === undefined ? '' : ` ${JSON.stringify(item.data)}`
  return `── ${localTime(item.at)} ${item.name}${data}`
}
