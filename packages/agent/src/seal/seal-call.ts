import { freezeDeep } from 'hookline'
import type {
  AgentScope,
  Grant,
  GrantedCall,
  SealedCall,
} from 'hookline/lifecycle'
import { canonicalJson } from './canonical-json.ts'
import { sha256 } from './sha256.ts'

/** A sealed call, and what of it could be meant to change. */
export interface Sealed {
  readonly call: SealedCall
  /** The canonical JSON of its grant and its arguments. */
  readonly text: string
}

/**
 * Binds a call to its moment and its grant: what was judged is what runs. The
 * seal is the SHA-256 of the canonical JSON of all that it is about, in a list.
 */
export function sealCall(
  call: GrantedCall,
  definitionHash: string,
  { sessionId = '', turnId = '' }: AgentScope,
): Sealed {
  const { id, tool, owner } = call
  const text = textOf(call)
  const names = [sessionId, turnId, id, tool, owner, definitionHash]
  // Of a list of texts, any JSON is canonical.
  const seal = sha256(`${JSON.stringify(names).slice(0, -1)},${text}]`)
  return { call: freezeDeep({ ...call, definitionHash, seal }), text }
}

/** Whether a call is still, byte for byte, the one that was sealed. */
export function isIntact({ call, text }: Sealed): boolean {
  // Its names are texts in a frozen object; its grant and arguments have parts.
  return Object.isFrozen(call) && textOf(call) === text
}

function textOf({ grant, args }: GrantedCall): string {
  return `${grantText(grant)},${canonicalJson(args)}`
}

let lastGrant: Grant | undefined
let lastText = ''

/** Policies give the same grant again and again. */
function grantText(grant: Grant): string {
  if (grant === lastGrant) return lastText
  const text = canonicalJson(grant)
  // Only of what cannot change is the text still right the next time.
  if (isFrozen(grant)) {
    lastGrant = grant
    lastText = text
  }
  return text
}

function isFrozen(grant: Grant): boolean {
  const { roots, network } = grant
  return [grant, roots, network, Object(network).hosts].every(Object.isFrozen)
}
