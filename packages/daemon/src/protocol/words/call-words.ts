import type {
  CallExplanation,
  ExplainedApproval,
  ExplainedVerdict,
} from '../schemas/records.ts'
import { answererWords } from './answerer-words.ts'
import { policyWords } from './policy-words.ts'

/** How a call ended, or what it waits for. */
export type CallEnd =
  | 'allowed'
  | 'failed'
  | 'withheld'
  | 'denied'
  | 'answered'
  | 'cancelled'
  | 'unknown'
  | 'waiting'
  | 'running'

export interface ToldEnd {
  readonly end: CallEnd
  /** One sentence that begins with the tool; neither that nor the full stop. */
  readonly words: string
}

/** How a call ended, and who had the last word. */
export function endOfCall(why: CallExplanation): ToldEnd {
  const { status, decidedBy } = why
  if (status === undefined) return goingOn(why)
  switch (status) {
    case 'executed':
      return {
        end: endOfRun(why),
        words: `was allowed by ${allower(why)}, and ran${afterwards(why)}`,
      }
    case 'denied':
      return { end: 'denied', words: `was denied${denier(why)}` }
    case 'synthesized':
      return {
        end: isWithheld(why) ? 'withheld' : 'answered',
        words: `did not run: ${decider(why)} gave its result${withheldWords(why)}`,
      }
    case 'cancelled': {
      const words =
        decidedBy === undefined
          ? 'was cancelled'
          : `did not run: ${decider(why)} ended the turn`
      return { end: 'cancelled', words }
    }
    case 'unknown_outcome':
      return {
        end: 'unknown',
        words: `was allowed by ${allower(why)}; nobody knows whether it ran to its end`,
      }
    default:
      // A newer daemon may have a word that is not known here.
      return { end: 'unknown', words: `ended as ${status}` }
  }
}

function endOfRun(why: CallExplanation): CallEnd {
  if (isWithheld(why)) return 'withheld'
  return why.error === undefined ? 'allowed' : 'failed'
}

function isWithheld(why: CallExplanation): boolean {
  return why.error === 'withheld' || withholder(why) !== undefined
}

function withheldWords(why: CallExplanation): string {
  if (!isWithheld(why)) return ''
  const by = withholder(why)
  const whose = by === undefined ? '' : ` by the hook "${by.hook}"`
  return `; its result was withheld${whose}`
}

function goingOn({ state }: CallExplanation): ToldEnd {
  return state === 'waiting'
    ? { end: 'waiting', words: 'waits for somebody to agree' }
    : { end: 'running', words: `has not ended: it is ${state}` }
}

function decider({ decidedBy }: CallExplanation): string {
  if (decidedBy === undefined) return 'somebody who is not on record'
  return decidedBy.kind === 'policy' ? 'policy' : answererWords(decidedBy)
}

function allower(why: CallExplanation): string {
  if (why.decidedBy?.kind !== 'policy') return decider(why)
  const judges = why.verdicts.filter(isPassing).length
  if (judges === 0) return 'policy'
  return `policy and ${judges === 1 ? 'a hook' : `${judges} hooks`}`
}

function isPassing({ point, mode, answer }: ExplainedVerdict): boolean {
  return isBefore(point) && mode !== 'evaluate' && answer !== undefined
}

function isBefore(point: string): boolean {
  return point === 'tool.pre_call' || point === 'tool.guard'
}

/** What became of its result. */
function afterwards(why: CallExplanation): string {
  const { error } = why
  if (isWithheld(why)) return withheldWords(why)
  const after = verdictsAfter(why)
  const failed = error === undefined ? '' : `, and failed (${error})`
  const changed = after.findLast(({ answer, mode }) => {
    const isChange = answer === 'transform' || answer === 'replace'
    return isChange && mode !== 'evaluate'
  })
  if (changed === undefined) return failed
  return `${failed}; its result was changed by the hook "${changed.hook}"`
}

/** The hook that kept the result back, where it can be seen. */
function withholder(why: CallExplanation): ExplainedVerdict | undefined {
  return verdictsAfter(why).find(({ decided, answer, failure }) => {
    return decided && (answer === 'reject' || failure !== undefined)
  })
}

function verdictsAfter({ verdicts }: CallExplanation) {
  return verdicts.filter(({ point }) => point === 'tool.post_call')
}

function denier(why: CallExplanation): string {
  const { decidedBy, verdicts } = why
  if (decidedBy?.kind === 'check') {
    return ' before anybody was asked: there is no such tool, or its arguments do not fit'
  }
  if (decidedBy?.kind === 'nobody') {
    return ': a person had to agree, and nobody did in time'
  }
  if (decidedBy?.kind === 'fault') {
    const what = decidedBy.name ?? 'something that had to be asked'
    return `: ${what} failed, and what is not judged or kept does not run`
  }
  const last = verdicts.findLast(({ decided }) => decided)
  if (last?.failure === undefined || last.hook !== decidedBy?.name) {
    return ` by ${decider(why)}`
  }
  const isAway = last.failure.code === unavailable
  const ran = last.state === 'timed_out' ? 'took too long' : 'failed'
  const how = isAway ? 'could not be asked' : ran
  return `: the hook "${last.hook}" ${how}, and that counts as a refusal`
}

/** What one hook did; a sentence that begins with it. Its own words are no part. */
export function verdictWords(verdict: ExplainedVerdict): string {
  const only = verdict.mode === 'evaluate' ? '; it is only evaluated' : ''
  return `${deed(verdict)}${only}`
}

function deed(verdict: ExplainedVerdict): string {
  const { state, point, answer, decided, failure, policy, failedOpen } = verdict
  if (failure !== undefined) {
    const so =
      policy === undefined ? '' : `; ${policyWords(policy, failedOpen)}`
    return `${failureWords(verdict)}${so}`
  }
  if (state === 'skipped') return 'was not asked; it was decided before'
  if (state === 'started') return 'has not answered yet'
  if (state === 'cancelled') return 'was cancelled'
  const words = isBefore(point) ? answersBefore : answersAfter
  const said = words.get(answer ?? 'proceed') ?? `answered "${answer}"`
  return decided && isBefore(point) ? `${said}, which decided it` : said
}

/** What was to answer is not there: the hook never ran. */
const unavailable = 'unavailable'

/** Its name is said already. */
function failureWords({ state, failure, hook }: ExplainedVerdict): string {
  if (state === 'timed_out') return 'took too long'
  const { message = '', code = '' } = failure ?? {}
  if (code === unavailable) return `could not be asked (${code})`
  const head = `Hook "${hook}" `
  const rest = message.startsWith(head) ? message.slice(head.length) : message
  return rest === '' ? `failed (${code})` : rest.replace(/\.$/, '')
}

const answersBefore: ReadonlyMap<string, string> = new Map([
  ['proceed', 'let it pass'],
  ['reject', 'denied it'],
  ['ask', 'wanted somebody asked'],
  ['transform', 'changed the arguments'],
  ['replace', 'replaced the arguments'],
  ['respond', 'gave the result itself'],
  ['endTurn', 'ended the turn'],
])

const answersAfter: ReadonlyMap<string, string> = new Map([
  ['proceed', 'left the result as it was'],
  ['reject', 'withheld the result'],
  ['transform', 'changed the result'],
  ['replace', 'replaced the result'],
  ['respond', 'answered in place of people'],
  ['endTurn', 'ended the turn'],
])

/** What came of asking people. Their own words are no part of it. */
export function approvalWords({
  state,
  decidedBy = 'somebody',
  lasts = 'once',
}: ExplainedApproval): string {
  const span = lasts === 'once' ? '' : `, for: ${lasts}`
  switch (state) {
    case 'used':
    case 'approved':
      return `${decidedBy} agreed${span}`
    case 'edited':
      return `${decidedBy} changed the arguments${span}`
    case 'denied':
      return `${decidedBy} said no${span}`
    case 'expired':
      return 'nobody answered in time'
    case 'void':
      return 'the question was dropped'
    case 'pending':
      return 'nobody has answered yet'
    default:
      return state
  }
}
