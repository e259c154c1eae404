import type { AgentEvent, ToolResult, UserContent } from 'hookline/lifecycle'
import { answererWords } from '../../protocol/words/answerer-words.ts'
import type { Style } from '../output/output.ts'
import { createPlainStream, plainLine } from '../output/plain-text.ts'
import { cutToWidth } from '../output/text-width.ts'
import { duration } from '../output/times.ts'
import { wrapText } from '../output/wrap-text.ts'
import { reasonWords } from './reason-words.ts'
import type { Sink } from './sink.ts'

export interface TurnViewOptions {
  readonly sink: Sink
  readonly style: (style: Style, text: string) => string
  readonly columns: () => number
  /** Also shows what usually says nothing new. */
  readonly isVerbose?: boolean
}

/** What plugins put into every prompt. */
const routine: ReadonlySet<string> = new Set([
  'policy',
  'context',
  'tools',
  'section',
])

const maxComplaint = 4

/** Shows what agents tell, as it happens. */
export function createTurnView({
  sink,
  style,
  columns,
  isVerbose = false,
}: TurnViewOptions): (event: AgentEvent) => void {
  const blocks = new Map<string, (piece: string) => string>()
  const lineOf = (text: string, path: readonly string[]) => {
    const inner = path.slice(1).map((name) => `${plainLine(name)} › `)
    return plainLine(`${inner.join('')}${text}`)
  }
  const room = () => Math.max(20, columns() - 1)
  const note = (look: Style, text: string, path: readonly string[] = []) =>
    sink.note(style(look, cutToWidth(lineOf(text, path), room())))
  /** Why something went wrong is worth more than a line. */
  const complain = (text: string, path: readonly string[]) => {
    const options = { width: room(), indent: 2, maxLines: maxComplaint }
    for (const line of wrapText(lineOf(text, path), options).split('\n')) {
      sink.note(style('red', line))
    }
  }
  const say = (id: string, piece: string, look?: Style) => {
    const plain = blocks.get(id) ?? createPlainStream()
    blocks.set(id, plain)
    const text = plain(piece)
    sink.text(look === undefined || text === '' ? text : style(look, text))
  }
  return (event) => {
    const { path } = event
    switch (event.type) {
      case 'text-delta':
        // What a sub-agent says goes to the agent that asked it.
        if (path.length > 1) return
        return say(event.id, event.text)
      case 'reasoning-delta':
        if (isVerbose && path.length === 1) say(event.id, event.text, 'dim')
        return
      case 'text-end':
      case 'reasoning-end':
        if (path.length > 1) return
        blocks.delete(event.id)
        sink.endText()
        return
      case 'tool-start': {
        const { tool, args } = event.call
        return note('cyan', `→ ${tool} ${JSON.stringify(args)}`, path)
      }
      case 'tool-delta':
        if (isVerbose) note('dim', `  ${event.progress}`, path)
        return
      case 'tool-end': {
        const { tool, result, status, elapsedMs } = event
        // What was denied did not run, so that it took no time.
        const took = status === 'denied' ? '' : `(${duration(elapsedMs)})`
        const text = `${tool} ${describeEnd(status, result)}${took}`.trimEnd()
        return result.isError
          ? complain(`✗ ${text}`, path)
          : note('green', `✓ ${text}`, path)
      }
      case 'permission-start':
        return note('yellow', `? ${event.question.call.tool} needs a yes`, path)
      case 'permission-end':
        return note('yellow', describeDecision(event), path)
      case 'hook-delta': {
        const { hook, notice } = event
        const look = notice.level === 'error' ? 'red' : 'yellow'
        return note(look, `! ${hook}: ${notice.message}`, path)
      }
      case 'hook-inject':
        if (isVerbose || !routine.has(event.subject)) {
          note('magenta', describeEdit(event), path)
        }
        return
      case 'hook-replace':
      case 'hook-withhold':
        return note('magenta', describeEdit(event), path)
      case 'hook-end': {
        const { hook, point, answer = 'no answer', elapsedMs } = event
        const isQuiet = answer === 'proceed' && !isVerbose
        const text = `⚑ ${hook} at ${point}: ${answer} (${duration(elapsedMs)})`
        return isQuiet ? undefined : note('magenta', text, path)
      }
      case 'compaction-end':
        return note('dim', describeCompaction(event), path)
      case 'subagent-start':
        return note('cyan', `→ ${event.child}: ${event.task}`, path)
      case 'subagent-end':
        return note('cyan', `← ${event.child}: ${event.status}`, path)
      case 'gap':
        return note('yellow', `… ${event.missed} events were left out`, path)
      case 'turn-start':
        if (event.isResumed) note('dim', 'The turn goes on.', path)
        return
      case 'turn-input':
        if (event.isSteering) note('bold', describeInput(event.content), path)
        return
      case 'turn-end':
      case 'prompt':
      case 'step-start':
      case 'step-end':
      case 'text-start':
      case 'reasoning-start':
      case 'hook-start':
      case 'compaction-start':
      case 'usage-delta':
        return
      default:
        event satisfies never
    }
  }
}

type EventOf<Type extends AgentEvent['type']> = Extract<
  AgentEvent,
  { readonly type: Type }
>

function describeInput(content: UserContent): string {
  const texts = content.map((block) =>
    block.type === 'text' ? block.text : `[${block.type}]`,
  )
  return `» ${texts.join(' ')}`
}

function describeEnd(status: string, result: ToolResult): string {
  if (!result.isError) return status === 'executed' ? '' : `${status} `
  const [first] = result.content
  const text = first?.type === 'text' ? first.text : ''
  const [, reason] = /^\[withheld: (.*)\]$/s.exec(text) ?? []
  // There was a result, of the tool or given in its place: it was kept back.
  if (result.error === 'withheld')
    return `result withheld: ${reasonWords(reason ?? text)} `
  // What a tool says is its own, however it looks.
  return reason === undefined || status === 'executed'
    ? `${result.error}: ${reasonWords(text)} `
    : `${result.error}, withheld: ${reasonWords(reason)} `
}

function describeDecision({ decision, by }: EventOf<'permission-end'>): string {
  const who = answererWords(by)
  if (decision.type === 'deny') {
    const denier = by.kind === 'nobody' ? '' : ` by ${who}`
    return `· denied${denier}: ${decision.reason}`
  }
  return `· ${decision.type === 'allow' ? 'allowed' : 'changed'} by ${who}`
}

const editWords = {
  'hook-inject': 'added to',
  'hook-replace': 'changed',
  'hook-withhold': 'kept back',
}

function describeEdit({
  type,
  hook,
  subject,
  reason,
}: EventOf<'hook-inject' | 'hook-replace' | 'hook-withhold'>): string {
  const why = reason === undefined ? '' : `: ${reasonWords(reason, hook)}`
  return `⚑ ${hook} ${editWords[type]} the ${subject}${why}`
}

function describeCompaction({
  removedCount,
  vetoedBy,
}: EventOf<'compaction-end'>): string {
  return vetoedBy === undefined
    ? `${removedCount} messages were compacted`
    : `${vetoedBy} kept the messages from being compacted`
}
