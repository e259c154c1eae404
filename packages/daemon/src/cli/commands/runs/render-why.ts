import type {
  CallExplanation,
  ExplainedVerdict,
} from '../../../protocol/schemas/records.ts'
import { type CallEnd, endOfCall } from '../../../protocol/words/call-words.ts'
import { grantWords } from '../../../protocol/words/grant-words.ts'
import type { Output } from '../../output/output.ts'
import { plainLine } from '../../output/plain-text.ts'
import { padToWidth } from '../../output/text-width.ts'
import { duration, localTime } from '../../output/times.ts'
import { wrapText } from '../../output/wrap-text.ts'
import { approvalSentence, verdictSentence } from './call-sentences.ts'

/** One thing that is told, and what was said with it. */
interface Entry {
  readonly name: string
  readonly text: string | undefined
  readonly words?: string | undefined
  readonly isBold?: boolean
  readonly maxLines?: number
}

const indent = 11
/** What is longer is in the JSON: all of it is one screen. */
const maxArgsLines = 3
const maxVerdicts = 8

/** All who had a say in a call: the last word first, then the rest in order. */
export function renderWhy(why: CallExplanation, output: Output): string {
  const { hidden, approvals } = why
  const said = lastWords(why)
  const told = endOfCall(why)
  const entries: readonly Entry[] = [
    { name: 'arguments', text: json(why.args), maxLines: maxArgsLines },
    {
      name: '  at first',
      text: json(why.originalArgs),
      maxLines: maxArgsLines,
    },
    { name: '  sha-256', text: why.argsHash },
    { name: 'policy', text: grantWords(why) },
    ...named('hooks', hookEntries(why)),
    {
      name: '',
      text: hidden > 0 ? `${hidden} more, hidden from you` : undefined,
    },
    ...named(
      'people',
      approvals.map((approval) => ({
        text: approvalSentence(approval),
        words: approval.reason,
      })),
    ),
    { name: 'when', text: timeText(why) },
    { name: 'tool', text: `${why.tool} of ${why.owner}, ${why.safety}` },
    { name: 'call', text: why.callId },
    { name: 'turn', text: `${why.turnId} of session ${why.sessionId}` },
    { name: 'seal', text: why.seal },
  ]
  const width = output.isTerminal ? output.columns : Infinity
  const fit = (text: string, at: number, maxLines = Infinity) =>
    wrapText(plainLine(text), { width, indent: at, maxLines })
  return [
    output.style(
      [endStyle(told.end), 'bold'],
      fit(`${why.tool} ${told.words}.`, 0),
    ),
    ...(said === undefined ? [] : [`  ${fit(`"${said}"`, 2)}`]),
    '',
    ...entries.flatMap(({ name, text, words, isBold = false, maxLines }) => {
      if (text === undefined) return []
      const shown = fit(text, indent, maxLines)
      const line = `${output.style('dim', padToWidth(name, indent))}${isBold ? output.style('bold', shown) : shown}`
      // What the first lines say is not said again.
      if (words === undefined || words === said) return [line]
      return [line, `${' '.repeat(indent + 3)}${fit(`"${words}"`, indent + 3)}`]
    }),
  ].join('\n')
}

/** Only the first one has the name. */
function named(
  name: string,
  entries: readonly Omit<Entry, 'name'>[],
): readonly Entry[] {
  return entries.map((entry, at) => ({ ...entry, name: at === 0 ? name : '' }))
}

function hookEntries(why: CallExplanation): readonly Omit<Entry, 'name'>[] {
  const { verdicts, isUngated, hidden } = why
  if (verdicts.length === 0 && hidden === 0) {
    const rest = isUngated ? ', and policy did not ask for one' : ''
    return [{ text: `none has judged it${rest}` }]
  }
  const isMany = verdicts.length > maxVerdicts
  const passed = isMany ? verdicts.filter(hasPassed) : []
  const told = verdicts.flatMap((verdict, at) => {
    if (passed.includes(verdict)) return []
    const text = `${at + 1}. ${verdictSentence(verdict)}`
    return [{ text, words: verdict.reason, isBold: verdict.decided }]
  })
  if (passed.length === 0) return told
  const names = passed.map(({ hook }) => hook).join(', ')
  const text = `${passed.length} let it pass: ${names}`
  return [...told, { text, maxLines: maxArgsLines }]
}

function hasPassed({
  answer,
  mode,
  failure,
  state,
}: ExplainedVerdict): boolean {
  const isPlain = answer === 'proceed' && mode !== 'evaluate'
  return isPlain && failure === undefined && state !== 'skipped'
}

function endStyle(end: CallEnd) {
  if (end === 'allowed') return 'green' as const
  const isBad = end === 'denied' || end === 'failed'
  return isBad ? ('red' as const) : ('yellow' as const)
}

function json(value: unknown): string | undefined {
  return value == null ? undefined : JSON.stringify(value)
}

function timeText({ status, startedAt, endedAt }: CallExplanation): string {
  const when = localTime(startedAt)
  if (endedAt === undefined || status !== 'executed') return when
  return `${when}, over after ${duration(endedAt - startedAt)}`
}

/** Of whoever decided; what policy grants has a line of its own. */
function lastWords({ decidedBy, grant }: CallExplanation): string | undefined {
  const isGrant = decidedBy?.kind === 'policy' && Boolean(grant)
  return isGrant ? undefined : decidedBy?.reason
}

const speaking: ReadonlySet<string> = new Set(['reject', 'ask', 'endTurn'])

/** What is not there because nobody asked for it to be kept, and how to. */
export function missingWords(why: CallExplanation): string | undefined {
  const { status, decidedBy, verdicts } = why
  const isSilent = verdicts.some(
    ({ answer = '', reason }) => speaking.has(answer) && reason === undefined,
  )
  const keep = (kind: string) =>
    `"store: { content: { ${kind}: redacted } }" in the configuration keeps it from then on.`
  if (isSilent) return `What hooks said was not kept; ${keep('runs')}`
  const isPolicy = decidedBy?.kind === 'policy' || decidedBy?.kind === 'check'
  if (status !== 'denied' || !isPolicy) return undefined
  if (decidedBy.reason !== undefined) return undefined
  return `What the model was told was not kept; ${keep('journal')}`
}
