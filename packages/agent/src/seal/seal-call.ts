import { freezeDeep } from 'hookline'
import type {
  AgentScope,
  Grant,
  GrantedCall,
  SealedCall,
} from 'hookline/lifecycle'
import { canonicalJson } from './canonical-json.ts'
import { sha256 } from './sha256.ts'

/**
 * Binds a call to its moment and its grant: what was judged is what runs. The
 * seal is the SHA-256 of the canonical JSON of all that it is about, in a list.
 */
export function sealCall(
  call: GrantedCall,
  definitionHash: string,
  { sessionId = '', turnId = '' }: AgentScope,
): SealedCall {
  const { id, tool, owner, grant } = call
  const names = [sessionId, turnId, id, tool, owner, definitionHash]
  const args = freezeDeep(call.args)
  freezeDeep(grant)
  // Written out: the list of all of it would be made only to be read.
  const text = `[${namesText(names)}${grantText(grant)},${canonicalJson(args)}]`
  return Object.freeze({ ...call, definitionHash, seal: sha256(text) })
}

function namesText(names: readonly string[]): string {
  let text = ''
  for (const name of names) text += `${canonicalJson(name)},`
  return text
}

/**
 * Whether nothing of a call can have been changed since it was sealed. Roots
 * are not trusted here: every part of it has to be frozen.
 */
export function isIntact(call: SealedCall): boolean {
  const { grant, args, originalArgs } = call
  return (
    Object.isFrozen(call) &&
    (grant === lastGrant || isFrozenThroughout(grant)) &&
    isFrozenThroughout(args) &&
    isFrozenThroughout(originalArgs)
  )
}

function isFrozenThroughout(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (!Object.isFrozen(value)) return false
  for (const key in value) {
    const part = (value as Record<string, unknown>)[key]
    if (!isFrozenThroughout(part)) return false
  }
  return true
}

let lastGrant: Grant | undefined
let lastText = ''

/** Policies give the same grant again and again. */
function grantText(grant: Grant): string {
  if (grant === lastGrant) return lastText
  const text = canonicalJson(grant)
  // Only of what cannot change is the text still right the next time.
  if (isFrozenThroughout(grant)) {
    lastGrant = grant
    lastText = text
  }
  return text
}
