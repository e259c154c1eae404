import { isSameData } from '../data/same-data.ts'
import { type Asking, askOne, type PlannedHook } from './ask-one.ts'
import { isDouble, withMostTime, withoutDoubles } from './doubles.ts'
import {
  argsOf,
  type Judged,
  ofFinalArgs,
  withoutChange,
} from './final-args.ts'
import type { Spoken } from './merge-verdicts.ts'
import type { MomentOf } from './moment.ts'
import { refuses } from './refusal.ts'
import { type Verdict, withLapse } from './verdict.ts'

type CallMoment = MomentOf<'tool-pre'>

interface AskingCall extends Asking {
  readonly isSerial: boolean
}

interface JudgedBy extends Judged {
  readonly one: PlannedHook
}

interface Judgement {
  readonly judged: readonly JudgedBy[]
  /** With the arguments that will run. */
  readonly final: CallMoment
}

/**
 * Asks about a call that some of them may change. In the end those that have
 * not judged what will run are asked about it; there they can only refuse or
 * ask.
 */
export async function askAboutCall(
  planned: readonly PlannedHook[],
  moment: CallMoment,
  asking: AskingCall,
): Promise<readonly Spoken[]> {
  const judge = asking.isSerial ? judgeInOrder : judgeAtOnce
  const { judged, final } = await judge(planned, moment, asking)
  if (isOver(judged)) return judged
  const again = await judgeFinal(planned, { judged, final }, asking)
  const { input } = final.call
  return [...judged.map((one) => ofFinalArgs(one, input)), ...again]
}

function isOver(judged: readonly JudgedBy[]): boolean {
  return judged.some(
    ({ verdict: { decision, stop } }) =>
      decision === 'deny' || stop !== undefined,
  )
}

/** One after the other, each about what the ones before have made of it. */
async function judgeInOrder(
  planned: readonly PlannedHook[],
  moment: CallMoment,
  asking: Asking,
): Promise<Judgement> {
  const judged: JudgedBy[] = []
  let current = moment
  for (const one of planned) {
    const asked = askedIn(judged)
    if (asked.includes(one) || isDouble(one, asked)) continue
    if (!one.isMeant(current)) continue
    const meant = planned.filter(({ isMeant }) => isMeant(current))
    const said = await judgeBy(withMostTime(one, meant), current, asking)
    judged.push(said)
    if (said.verdict.decision === 'deny') break
    current = changedBy(current, said)
  }
  return { judged, final: current }
}

/**
 * All judge the call as it came. Where one changes it, those that are declared
 * later see the change.
 */
async function judgeAtOnce(
  planned: readonly PlannedHook[],
  moment: CallMoment,
  asking: Asking,
): Promise<Judgement> {
  const meant = withoutDoubles(planned.filter(({ isMeant }) => isMeant(moment)))
  const first = await Promise.all(
    meant.map((one) => judgeBy(one, moment, asking)),
  )
  if (isOver(first)) return { judged: first, final: moment }
  const judged: JudgedBy[] = []
  let current = moment
  for (const one of planned) {
    if (isDouble(one, [...meant, ...askedIn(judged)])) continue
    const before = first.find((said) => said.one === one)
    const isFresh = before && isSameData(before.input, current.call.input)
    if (before && (isFresh || !one.isMeant(current))) {
      judged.push(isFresh ? before : stale(before))
    } else if (one.isMeant(current)) {
      judged.push(...(before ? questionIn(before) : []))
      judged.push(await judgeAgain(one, current, asking))
    }
    const said = judged.at(-1)
    if (said?.one === one) current = changedBy(current, said)
  }
  return { judged, final: current }
}

/** It is not meant for what another one has made of the call. */
function stale(said: JudgedBy): JudgedBy {
  const verdict = withoutChange(said.verdict)
  if (said.verdict.updatedInput === undefined) return said
  const message = `${said.hook.id} changes a call that another hook has changed to one that it is not meant for; its change does not count.`
  return { ...said, verdict: withLapse(verdict, 'conflict', message) }
}

/** Nobody takes back what a hook has asked by changing the call. */
function questionIn({ verdict, ...said }: JudgedBy): readonly JudgedBy[] {
  const question = onlyRefusal(verdict)
  return refuses(question) ? [{ ...said, verdict: question }] : []
}

async function judgeFinal(
  planned: readonly PlannedHook[],
  { judged, final }: Judgement,
  asking: AskingCall,
): Promise<readonly Spoken[]> {
  const { input } = final.call
  const overtaken = planned.filter((one) => {
    const own = judged.filter((said) => said.one === one)
    const isJudged = own.some((said) => isSameData(argsOf(said), input))
    const isMeant = one.isMeant(final) && !isDouble(one, askedIn(judged))
    return isMeant && !isJudged
  })
  const ask = async (one: PlannedHook) => {
    const { hook, verdict } = await judgeAgain(one, final, asking)
    return { hook, verdict: onlyRefusal(verdict) }
  }
  if (!asking.isSerial) return Promise.all(overtaken.map(ask))
  const again: Spoken[] = []
  for (const one of overtaken) {
    const said = await ask(one)
    again.push(said)
    if (said.verdict.decision === 'deny') break
  }
  return again
}

function onlyRefusal({ decision, reason, stop, lapses }: Verdict): Verdict {
  const counts = decision !== undefined && decision !== 'allow'
  return {
    ...(counts && { decision }),
    ...(counts && reason !== undefined && { reason }),
    ...(stop !== undefined && { stop }),
    ...(lapses && { lapses }),
  }
}

async function judgeBy(
  one: PlannedHook,
  moment: CallMoment,
  asking: Asking,
): Promise<JudgedBy> {
  const { hook, verdict } = await askOne(one, moment, asking)
  return { one, hook, verdict, input: moment.call.input }
}

async function judgeAgain(
  one: PlannedHook,
  moment: CallMoment,
  asking: Asking,
): Promise<JudgedBy> {
  const said = await judgeBy(one, moment, asking)
  const message = `${one.hook.id} was asked again, as another hook has changed the call.`
  return { ...said, verdict: withLapse(said.verdict, 'asked-again', message) }
}

function changedBy(moment: CallMoment, { verdict }: JudgedBy): CallMoment {
  const { updatedInput: input } = verdict
  if (input === undefined) return moment
  return { ...moment, call: { ...moment.call, input } }
}

function askedIn(judged: readonly JudgedBy[]): readonly PlannedHook[] {
  return judged.map(({ one }) => one)
}
