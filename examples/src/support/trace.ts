import type { HookRecord, Outcome } from 'hookline'
import type { SealedCall, toolGuard, toolPreCall } from 'hookline/lifecycle'

type Asked = Outcome<typeof toolPreCall> | Outcome<typeof toolGuard>

const isColored = process.stdout.isTTY && !process.env['NO_COLOR']

/** What became of one call: every hook that was asked, and the decision. */
export function printTrace(call: SealedCall, outcomes: readonly Asked[]): void {
  const last = outcomes.at(-1)
  if (last === undefined) return
  console.log(`\n${bold(call.tool)} ${JSON.stringify(call.args)}`)
  const records = outcomes.flatMap((outcome) => outcome.records)
  if (records.length === 0) console.log(`  ${dim('no hook matched')}`)
  for (const record of records) console.log(`  ${line(record)}`)
  console.log(`  ${decision(last)}`)
}

function line(record: HookRecord): string {
  const { point, hook, state, answer, failure, policy, latencyMs } = record
  const what = failure ? `${failure.code}: ${policy}` : (answer ?? state)
  const ms = `${latencyMs.toFixed(1)} ms`
  return dim(`${point.padEnd(14)} ${hook.padEnd(20)} ${what.padEnd(18)} ${ms}`)
}

function decision(outcome: Asked): string {
  switch (outcome.type) {
    case 'proceed':
      return green(`runs with ${JSON.stringify(outcome.value.args)}`)
    case 'reject':
      return red(
        outcome.failure === undefined
          ? `denied by ${outcome.by}: ${outcome.reason}`
          : `denied: ${outcome.by} gave no valid answer, and it fails closed`,
      )
    case 'ask':
      return yellow(
        outcome.questions
          .map(({ by, question }) => `${by} asks: ${question}`)
          .join(' '),
      )
    case 'respond': {
      const [first] = outcome.output.content
      const text = first?.type === 'text' ? first.text : ''
      return green(`not run; ${outcome.by} answered: ${text}`)
    }
    case 'endTurn':
      return red(`the turn ends: ${outcome.reason}`)
  }
}

function paint(code: number): (text: string) => string {
  return (text) => (isColored ? `\u001b[${code}m${text}\u001b[0m` : text)
}

const bold = paint(1)
const dim = paint(2)
const red = paint(31)
const green = paint(32)
const yellow = paint(33)
