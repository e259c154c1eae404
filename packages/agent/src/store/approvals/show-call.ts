import type { AgentScope, PermissionQuestion } from 'hookline/lifecycle'
import { canonicalJson } from '../../seal/canonical-json.ts'
import { sha256 } from '../../seal/sha256.ts'
import type { Redactor } from '../content/redact.ts'
import { type ShownText, shownText } from './shown-text.ts'

export interface ShowOptions {
  readonly scope: AgentScope
  readonly redactor: Redactor
}

/**
 * What people are shown before they agree to a call: all that it will be run
 * with, without secrets. One call has one text. Each part is on lines of its
 * own, what matters most first, and none can crowd out another.
 */
export function showCall(
  { call, questions }: PermissionQuestion,
  { scope, redactor }: ShowOptions,
): ShownText {
  const { tool, owner, safety, args, originalArgs, grant } = call
  const { decision: _, reason: __, ...limits } = grant
  const { agent, origin, cwd, actor, parents } = scope
  const parts = {
    tool,
    owner,
    safety,
    agent: { name: agent, origin, cwd, parents },
    'on behalf of': actor,
    asked: questions,
    may: limits,
    arguments: args,
    'written by the model': originalArgs,
  }
  const texts = Object.entries(parts)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => {
      const { text, isCut } = shownText(redactor.data(plain(part)))
      return { text: `${name}: ${text}`, isCut }
    })
  return {
    text: texts.map(({ text }) => text).join('\n'),
    isCut: texts.some(({ isCut }) => isCut),
  }
}

/** Binds what is shown to what will run: neither can be changed alone. */
export function hashShown(shown: string, seal: string): string {
  return sha256(canonicalJson({ seal, shown }))
}

function plain(value: unknown): unknown {
  return JSON.parse(canonicalJson(value))
}
