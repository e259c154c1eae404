import { useEffect, useState } from 'react'
import { useDaemon } from '../../../data/daemon-context.ts'
import type { Answer, ApprovalDetail } from '../../../data/protocol.ts'
import { readShown } from './read-shown.ts'

type Reply = Pick<Answer, 'type' | 'lasts' | 'covers' | 'reason' | 'args'>

/** What whoever answers is about to do. */
type DecisionStep =
  | { readonly type: 'choose' }
  | { readonly type: 'deny' }
  | { readonly type: 'edit' }
  /** There is no way back, so it is asked once more. */
  | { readonly type: 'confirm'; readonly reply: Reply; readonly why: string }

export interface Decision {
  readonly approval: ApprovalDetail
  readonly step: DecisionStep
  readonly isBusy: boolean
  /** It has been there long enough not to be answered by mistake. */
  readonly isRead: boolean
  readonly problem: string | undefined
  /** What became of an answer that has decided nothing yet. */
  readonly note: string | undefined
  readonly setStep: (step: DecisionStep) => void
  /** Asks once more where it is dangerous, and answers otherwise. */
  readonly propose: (reply: Reply) => void
  readonly answer: (reply: Reply) => Promise<void>
}

const choose: DecisionStep = { type: 'choose' }

/** What has counted, now or when the same was said before. */
const taken: ReadonlySet<string> = new Set(['accepted', 'counted', 'repeated'])

const lost: Readonly<Record<string, string>> = {
  lost: 'Somebody else has answered before you, and their answer holds.',
  expired: 'You are too late: it has expired, which counts as a no.',
  void: 'You are too late: the question was dropped.',
}

/** Who has not had it before them for that long has not read it. */
const readMs = 500

/** The way from a question to its answer, for whoever has it before them. */
export function useDecision(
  approval: ApprovalDetail,
  onAnswered?: () => void,
): Decision {
  const { client } = useDaemon()
  const [step, setStep] = useState(choose)
  const [problem, setProblem] = useState<string>()
  const [note, setNote] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  // Only where the next one takes the place of the last is it too soon at first.
  const [isRead, setRead] = useState(onAnswered === undefined)
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), readMs)
    return () => clearTimeout(timer)
  }, [])
  const answer = async (reply: Reply) => {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    setNote(undefined)
    try {
      const { id: approvalId, shownHash } = approval
      const given = { approvalId, shownHash, ...reply }
      const outcome = await client.answerApproval(given)
      const { type, message, approval: left } = outcome
      if (left?.state === 'pending' && type !== 'refused') {
        setStep(choose)
        setNote(notes[type])
      } else if (taken.has(type)) {
        setStep(choose)
        onAnswered?.()
      } else setProblem(message ?? lost[type] ?? 'The answer was not taken.')
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  const propose = (reply: Reply) => {
    const why = dangerOf(approval, reply)
    if (why === undefined) void answer(reply)
    else setStep({ type: 'confirm', reply, why })
  }
  const does = { setStep, propose, answer }
  return { approval, step, isBusy, isRead, problem, note, ...does }
}

const notes: Readonly<Record<string, string>> = {
  counted: 'Your yes counts. Somebody else has to agree as well.',
  repeated: 'You have agreed already. Somebody else has to agree as well.',
}

/** What makes an answer one to think about twice; undefined: nothing. */
function dangerOf(
  approval: ApprovalDetail,
  { type, lasts, covers }: Reply,
): string | undefined {
  if (type !== 'allow') return undefined
  if (covers === 'tool') {
    return 'Nobody is asked about any call of this tool in this session, until the rule is revoked.'
  }
  if (lasts === 'always') {
    return 'Nobody is asked about this very call any more, in any session, until the rule is revoked.'
  }
  const { safety } = readShown(approval.shown)
  if (safety === 'destructive') {
    return 'The tool is destructive: what it does may not be undone.'
  }
  if (approval.isCut) return 'Not all of the call is shown.'
  return undefined
}
