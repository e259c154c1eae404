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
 * seal is the SHA-256 of the canonical JSON of a list: the session, the turn,
 * the call's id, the hash of its terms, and its arguments.
 */
export function sealCall(
  call: GrantedCall,
  definitionHash: string,
  { sessionId = '', turnId = '' }: AgentScope,
): SealedCall {
  const args = freezeDeep(call.args)
  freezeDeep(call.grant)
  const moment = momentText(sessionId, turnId)
  const terms = termsHash(call, definitionHash)
  // Written out: the list of all of it would be made only to be read.
  const text = `[${moment},${canonicalJson(call.id)},"${terms}",${canonicalJson(args)}]`
  return Object.freeze({ ...call, definitionHash, seal: sha256(text) })
}

let lastMoment = { sessionId: '', turnId: '', text: '"",""' }

/** The calls of a turn have the same. */
function momentText(sessionId: string, turnId: string): string {
  const { sessionId: session, turnId: turn } = lastMoment
  if (sessionId !== session || turnId !== turn) {
    const text = `${canonicalJson(sessionId)},${canonicalJson(turnId)}`
    lastMoment = { sessionId, turnId, text }
  }
  return lastMoment.text
}

interface Terms {
  readonly tool: string
  readonly owner: string
  readonly hash: string
}

// Tools can be made up anew for every turn.
const maxTerms = 1_000

let lastGrant: Grant | undefined
/** What calls have been made under that grant, by the tool's definition. */
let lastTerms = new Map<string, Terms>()

/**
 * Of the tool, its owner, its definition and the grant. Policies give the same
 * grant again and again, to the same few tools.
 */
function termsHash(
  { tool, owner, grant }: GrantedCall,
  definitionHash: string,
): string {
  const known = grant === lastGrant ? lastTerms.get(definitionHash) : undefined
  const isSame = known?.tool === tool && known?.owner === owner
  if (known !== undefined && isSame) return known.hash
  const hash = sha256(canonicalJson([tool, owner, definitionHash, grant]))
  // Only of what cannot change is it still right the next time.
  if (isFrozenThroughout(grant)) {
    const isFull = lastTerms.size === maxTerms
    if (grant !== lastGrant || isFull) lastTerms = new Map()
    lastGrant = grant
    lastTerms.set(definitionHash, { tool, owner, hash })
  }
  return hash
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
