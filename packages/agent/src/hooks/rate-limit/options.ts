import {
  described,
  list,
  number,
  object,
  text,
  word,
} from '../../define-hooks.ts'

/** So many calls in so much time. */
export interface RateRule {
  readonly of: 'tools' | 'models'
  /** Their names or patterns; default: all of them. */
  readonly names?: readonly string[]
  readonly calls: number
  readonly perMs: number
  /** How many can come at once; default: as many as `calls`. */
  readonly burst?: number
  /** Who has to share; default: everybody. */
  readonly per?: 'all' | 'agent' | 'actor' | 'session' | 'name'
  /** How long a call may wait for its turn; default: 0, it is refused. */
  readonly waitMs?: number
}

export interface RateLimitOptions {
  /** All that fit a call have to let it pass. */
  readonly rules: readonly RateRule[]
}

const rule = object<RateRule>(
  {
    of: described(
      word(['tools', 'models']),
      'Whether it is about calls of tools or of models.',
    ),
    names: described(
      list(text({ maxLength: 256 }), { min: 1, max: 100 }),
      'Names or patterns of tools or models; default: all of them.',
    ),
    calls: described(
      number({ isWhole: true, min: 1, max: 1_000_000 }),
      'How many calls.',
    ),
    perMs: described(
      number({ isWhole: true, min: 1, max: 86_400_000 }),
      'In how much time.',
    ),
    burst: described(
      number({ isWhole: true, min: 1, max: 1_000_000 }),
      'How many can come at once; default: as many as `calls`.',
    ),
    per: described(
      word(['all', 'agent', 'actor', 'session', 'name']),
      'Who has to share: everybody, or those of one agent, actor, session (with its sub-agents), or tool or model; default: all.',
    ),
    waitMs: described(
      number({ isWhole: true, min: 0, max: 50_000 }),
      'How long a call may wait for its turn; default: 0, it is refused at once.',
    ),
  },
  ['of', 'calls', 'perMs'],
)

export const rateLimitShape = object<RateLimitOptions>(
  {
    rules: described(
      list(rule, { min: 1, max: 50 }),
      'All that fit a call have to let it pass.',
    ),
  },
  ['rules'],
)
