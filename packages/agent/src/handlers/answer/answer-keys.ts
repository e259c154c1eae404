import type { AnswerType } from 'hookline'

/** Where each answer carries what it says; `proceed` says nothing. */
export const answerKeys = {
  proceed: undefined,
  transform: 'value',
  replace: 'value',
  reject: 'reason',
  respond: 'output',
  ask: 'question',
  endTurn: 'reason',
  keepGoing: 'feedback',
} as const satisfies Record<AnswerType | 'proceed', string | undefined>

export type WireAnswerType = keyof typeof answerKeys

export function isWireAnswerType(type: unknown): type is WireAnswerType {
  return typeof type === 'string' && Object.hasOwn(answerKeys, type)
}
