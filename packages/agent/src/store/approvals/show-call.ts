import type { AgentScope, PermissionQuestion } from 'hookline/lifecycle'
import { isSameData } from '../../data/same-data.ts'
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
    // Not by whom: a hook that asks may be one that whoever answers may not see.
    asked: questions.map(({ question }) => question),
    may: limits,
    arguments: args,
    'written by the model': originalArgs,
  }
  const texts = Object.entries(parts)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => {
      const whole = plain(part)
      const shown = redactor.data(whole)
      const { text, isCut } = shownText(shown)
      // Whoever wrote it may have put anything behind the name of a secret.
      const isWhole = !isCut && isSameData(shown, whole)
      return { text: `${name}: ${text}`, isCut: !isWhole }
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
