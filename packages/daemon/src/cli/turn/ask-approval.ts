import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../../protocol/client.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { AnswerOf, InputOf } from '../../protocol/operations.ts'
import type { ListedApproval } from '../../protocol/schemas/approvals.ts'
import { plainLine, plainText } from '../output/plain-text.ts'
import { age } from '../output/times.ts'

/** What is shown to whoever answers: `shown` as it is, between two lines. */
export function renderApproval(approval: ListedApproval): string {
  const { tool, agent, cwd, shown, isCut, questions, approvers, votes } =
    approval
  const rule = '─'.repeat(40)
  const lines = [
    `${plainLine(agent)} asks to use ${plainLine(tool)} in ${plainLine(cwd)}`,
    ...questions.map(
      ({ by, question }) => `${plainLine(by)}: ${plainLine(question)}`,
    ),
    rule,
    plainText(shown),
    rule,
    ...(isCut
      ? [
          'Not all of it is shown: what is too long or may be a secret was taken out, as marked.',
        ]
      : []),
    ...(approvers > 1
      ? [`${approvers} people have to agree; ${votes} have.`]
      : []),
    `Approval ${plainLine(approval.id)}, ends ${age(approval.expiresAt)}.`,
  ]
  return lines.join('\n')
}

const maxPauseMs = 500

/**
 * The question, once it can be answered: an agent tells of it before it is
 * kept. Undefined: it needs no answer any more.
 */
export async function findPending(
  client: Client,
  approvalId: string,
  signal: AbortSignal,
): Promise<ListedApproval | undefined> {
  for (let pauseMs = 10; !signal.aborted; pauseMs *= 2) {
    try {
      const approval = await client.getApproval({ approvalId })
      return approval.state === 'pending' ? approval : undefined
    } catch (error) {
      const isMissing =
        error instanceof ProtocolError && error.code === 'not-found'
      if (!isMissing) throw error
    }
    await wait(Math.min(pauseMs, maxPauseMs))
  }
  return undefined
}

type Answer = Omit<InputOf<'answerApproval'>, 'approvalId' | 'shownHash'>

export type AnswerOutcome = AnswerOf<'answerApproval'>

/** Answers just what was shown. */
export async function answerApproval(
  client: Client,
  approval: Pick<ListedApproval, 'id' | 'shownHash'>,
  answer: Answer,
): Promise<AnswerOutcome> {
  const { id: approvalId, shownHash } = approval
  return await client.answerApproval({ approvalId, shownHash, ...answer })
}

const outcomes: Readonly<Record<string, string>> = {
  accepted: 'That is decided.',
  counted: 'Your yes counts; others have to agree as well.',
  repeated: 'You have said so before.',
  lost: 'Somebody else has answered already; their answer stands.',
  expired: 'It was too late: the question has expired, and that is a no.',
  void: 'Nobody wants to know any more.',
  unknown: 'There is no such question.',
  refused: 'This answer does not count.',
}

export function describeOutcome({ type, message }: AnswerOutcome): string {
  const words = outcomes[type] ?? plainLine(type)
  return message === undefined ? words : `${words} ${plainLine(message)}`
}
