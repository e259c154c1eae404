import type { ToolDefinition } from 'hookline/lifecycle'
import { canonicalJson } from '../seal/canonical-json.ts'
import { sha256 } from '../seal/sha256.ts'

const hashes = new WeakMap<ToolDefinition, string>()

/** Stands for what a tool says of itself, in every seal of a call of it. */
export function definitionHash(tool: ToolDefinition): string {
  const known = hashes.get(tool)
  if (known !== undefined) return known
  const { name, description, inputSchema, safety } = tool
  const { idempotent, timeoutMs, waitsForPeople } = tool
  const hash = sha256(
    canonicalJson({
      name,
      description,
      inputSchema,
      safety,
      idempotent,
      timeoutMs,
      waitsForPeople,
    }),
  )
  // One that is not frozen could say something else the next time.
  if (Object.isFrozen(tool) && Object.isFrozen(inputSchema)) {
    hashes.set(tool, hash)
  }
  return hash
}
