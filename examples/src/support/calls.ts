import type { SafetyClass, SealedCall } from 'hookline/lifecycle'

/** A tool call as an agent runtime hands it to the gates. */
export function toolCall(
  tool: string,
  args: SealedCall['args'],
  safety: SafetyClass = 'mutating',
): SealedCall {
  return {
    id: `call-${tool}`,
    tool,
    owner: 'example',
    args,
    safety,
    grant: {
      decision: 'allow',
      sandbox: 'workspace',
      roots: ['.'],
      network: 'none',
      timeoutMs: 30_000,
      maxOutputBytes: 262_144,
    },
    definitionHash: 'example',
    seal: 'example',
  }
}
