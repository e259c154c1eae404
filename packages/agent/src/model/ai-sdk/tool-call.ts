import type { JsonObject, Message } from 'hookline/lifecycle'
import { invalidArgs } from '../../ports/invalid-args.ts'

/** What a model wrote as arguments. Nothing at all is no arguments. */
export function parseArgs(input: string): JsonObject {
  if (input.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(input)
    // What was parsed from JSON, and is no array, is an object of JSON.
    if (isObject(value)) return value as JsonObject
  } catch {
    // The model is told by whoever denies the call.
  }
  return invalidArgs(input)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Hands out ids that no other call of the conversation has. */
export class CallIds {
  readonly #taken = new Set<string>()

  constructor(messages: readonly Message[]) {
    for (const { role, content } of messages) {
      if (role !== 'assistant') continue
      for (const block of content) {
        if (block.type === 'tool_call') this.#taken.add(block.id)
      }
    }
  }

  /** The given id, where it is one and free. */
  take(given: string): string {
    const id = this.#free(given)
    this.#taken.add(id)
    return id
  }

  #free(given: string): string {
    if (given === '') return `call_${crypto.randomUUID().replaceAll('-', '')}`
    if (!this.#taken.has(given)) return given
    let count = 2
    while (this.#taken.has(`${given}-${count}`)) count++
    return `${given}-${count}`
  }
}
