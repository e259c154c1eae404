import { StoreError } from '../store-error.ts'
import type { NamedEvent, NewWake } from './wakes.ts'

const isName = /^[a-z0-9][a-z0-9._-]{0,99}$/
const maxAgentChars = 200
const maxPromptChars = 20_000
const maxDataChars = 1_000_000
const maxLimit = 1_000

export const maxWakes = 1_000
export const maxWakesOfEvent = 100

export function checkWake({ event, agent, prompt = '' }: NewWake): void {
  checkName(event)
  if (agent === '' || agent.length > maxAgentChars) {
    throw invalid(
      `A wake names an agent, in at most ${maxAgentChars} characters.`,
    )
  }
  if (prompt.length <= maxPromptChars) return
  throw invalid(
    `What an agent is told when it is woken has at most ${maxPromptChars} characters.`,
  )
}

export function checkEvent({ name, data, depth }: NamedEvent): void {
  checkName(name)
  if (!Number.isSafeInteger(depth) || depth < 0) {
    throw invalid(
      `The depth of an event is a whole number from 0, not ${depth}.`,
    )
  }
  const chars = data === undefined ? 0 : JSON.stringify(data).length
  if (chars <= maxDataChars) return
  throw invalid(`The data of an event have at most ${maxDataChars} characters.`)
}

export function checkLimit(limit: number): void {
  if (Number.isInteger(limit) && limit > 0 && limit <= maxLimit) return
  throw invalid(
    `A limit is a whole number from 1 to ${maxLimit}, not ${limit}.`,
  )
}

function checkName(name: string): void {
  if (isName.test(name)) return
  throw invalid(
    'The name of an event is a short word of small letters, digits, ".", "_" and "-".',
  )
}

function invalid(message: string): StoreError {
  return new StoreError('invalid-options', message)
}

export function tooMany(event: string): StoreError {
  const message = `There are ${maxWakes} wakes, or ${maxWakesOfEvent} for "${event}", which is as many as there may be; remove some first.`
  return new StoreError('too-many', message)
}
