import type { SafetyClass, SealedCall } from '../lifecycle/index.ts'

/** A tool call as a runtime hands it to `tool.pre_call` and `tool.guard`. */
export function toolCall(
  tool: string,
  args: SealedCall['args'],
  safety: SafetyClass = 'mutating',
): SealedCall {
  return {
    id: `call-${tool}`,
    tool,
    owner: 'test',
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
    definitionHash: 'test',
    seal: 'test',
  }
}
