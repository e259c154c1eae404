import { readStrictJson } from '../handlers/answer/strict-json.ts'
import { isObject } from './printed.ts'

/** What a model that was asked whether all is well has said. */
export type PromptAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly isFinal: boolean }
  /** Why it is no answer. */
  | string

/** Anything but its JSON is no answer. */
export function readPromptAnswer(text: string): PromptAnswer {
  const { value, problem } = readStrictJson(unfenced(text))
  if (problem !== undefined || !isObject(value)) {
    return 'The model has not answered with one JSON object.'
  }
  const { ok, reason, impossible } = value
  if (typeof ok !== 'boolean') {
    return 'The model has not said whether it is "ok".'
  }
  if (ok) return { ok }
  const why = typeof reason === 'string' ? reason.trim() : ''
  return { ok, reason: why, isFinal: impossible === true }
}

/** A fence around all of it is not another answer. */
function unfenced(text: string): string {
  const [, inner] = /^\s*```(?:json)?\n([\s\S]*?)\n```\s*$/.exec(text) ?? []
  return (inner ?? text).trim()
}
