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
  const args = freezeDeep(call.args)
  freezeDeep(grant)
  const moment = momentText(sessionId, turnId, '')
  const definition = definitionText(tool, owner, definitionHash)
  // Written out: the list of all of it would be made only to be read.
  const text = `[${moment}${canonicalJson(id)},${definition}${grantText(grant)},${canonicalJson(args)}]`
  return Object.freeze({ ...call, definitionHash, seal: sha256(text) })
}

/** Calls of a turn, or of a tool, have the same names again and again. */
const momentText = rememberLast((sessionId, turnId) => {
  return `${canonicalJson(sessionId)},${canonicalJson(turnId)},`
})
const definitionText = rememberLast((tool, owner, definitionHash) => {
  const names = `${canonicalJson(tool)},${canonicalJson(owner)}`
  return `${names},${canonicalJson(definitionHash)},`
})

function rememberLast(write: (a: string, b: string, c: string) => string) {
  let [lastA, lastB, lastC, text] = ['', '', '', write('', '', '')]
  return (a: string, b: string, c: string): string => {
    if (a === lastA && b === lastB && c === lastC) return text
    text = write(a, b, c)
    lastA = a
    lastB = b
    lastC = c
    return text
  }
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
