import type {
  Ask,
  EndTurn,
  KeepGoing,
  Reject,
  Replace,
  Respond,
  Transform,
} from '../engine/index.ts'

export function transform<const T>(value: T): Transform<T> {
  return { type: 'transform', value }
}

export function replace<const T>(value: T): Replace<T> {
  return { type: 'replace', value }
}

export function reject(reason: string): Reject {
  return { type: 'reject', reason }
}

export function respond<const T>(output: T): Respond<T> {
  return { type: 'respond', output }
}

export function ask(question: string): Ask {
  return { type: 'ask', question }
}

export function endTurn(reason: string): EndTurn {
  return { type: 'endTurn', reason }
}

export function keepGoing(feedback: string): KeepGoing {
  return { type: 'keepGoing', feedback }
}
