import { described, number, object, text, word } from '../../define-hooks.ts'
import type { OnDeny } from '../shared/policies/policy-answer.ts'

export interface OpaOptions {
  /** What `opa build -t wasm` made: a bundle or the module in it; or `server`. */
  readonly policy?: string
  /** A running OPA: https, or http on this machine. */
  readonly server?: string
  /** The rule that decides, as a path; default: the only one of `policy`. */
  readonly entrypoint?: string
  /** A file of JSON for `policy`, in place of what its bundle has. */
  readonly data?: string
  /** The variable with the token that `server` wants. */
  readonly tokenEnv?: string
  /** For one decision; default 2 000. */
  readonly timeoutMs?: number
  /** What `policy` may take; default 64. */
  readonly maxMemoryMb?: number
  /** What follows where the policy does not permit a call; default: `reject`. */
  readonly onDeny?: OnDeny
}

const path = text({ maxLength: 4_000 })

export const options = object<OpaOptions>(
  {
    policy: described(
      path,
      'What opa build -t wasm made: a bundle or the module in it; or server.',
    ),
    server: described(
      text({ pattern: /^https?:\/\//, kind: 'an address', maxLength: 2_000 }),
      'A running OPA: https, or http on this machine.',
    ),
    entrypoint: described(
      text({
        // No segment may be empty or lead elsewhere.
        pattern:
          /^(?!\.{1,2}(?:\/|$))[^/\s]+(?:\/(?!\.{1,2}(?:\/|$))[^/\s]+)*$/,
        kind: 'a path such as tools/allow',
        maxLength: 1_000,
      }),
      'The rule that decides, as a path such as tools/allow; default: the only one of policy.',
    ),
    data: described(
      path,
      'A file of JSON for policy, in place of what its bundle has.',
    ),
    tokenEnv: described(
      text({ pattern: /^[A-Za-z_][A-Za-z0-9_]*$/, kind: 'a variable' }),
      'The variable with the token that server wants.',
    ),
    timeoutMs: described(
      number({ isWhole: true, min: 1, max: 60_000 }),
      'For one decision; default 2000.',
    ),
    maxMemoryMb: described(
      number({ isWhole: true, min: 1, max: 1_024 }),
      'What policy may take; default 64.',
    ),
    onDeny: described(
      word(['reject', 'ask']),
      'What follows where the policy does not permit a call; default: reject.',
    ),
  },
  [],
)
