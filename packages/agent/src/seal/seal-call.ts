import { freezeDeep } from 'hookline'
import type { AgentScope, GrantedCall, SealedCall } from 'hookline/lifecycle'
import { canonicalJson } from './canonical-json.ts'
import { sha256 } from './sha256.ts'

/** Binds a call to its moment and its grant: what was judged is what runs. */
export function sealCall(
  call: GrantedCall,
  definitionHash: string,
  scope: AgentScope,
): SealedCall {
  const seal = sha256(sealedText({ ...call, definitionHash }, scope))
  return freezeDeep({ ...call, definitionHash, seal })
}

/** Whether a call is still, byte for byte, the one that was sealed. */
export function isIntact(call: SealedCall, scope: AgentScope): boolean {
  return sha256(sealedText(call, scope)) === call.seal
}

function sealedText(
  call: GrantedCall & { readonly definitionHash: string },
  { sessionId, turnId }: AgentScope,
): string {
  const { id, tool, owner, args, grant, definitionHash } = call
  return canonicalJson([
    sessionId,
    turnId,
    id,
    tool,
    owner,
    definitionHash,
    grant,
    args,
  ])
}
