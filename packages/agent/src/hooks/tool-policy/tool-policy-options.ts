import {
  described,
  flag,
  list,
  number,
  object,
  record,
  text,
  word,
} from '../../define-hooks.ts'
import type { UrlCondition } from './url-match.ts'

export interface CommandCondition {
  /** The argument that holds it; default: `command`. */
  readonly argument?: string
  /** To allow: all it runs is one of these. Else: something of it is. */
  readonly is: readonly string[]
}

export interface PathCondition {
  readonly argument: string
  /** It leads into one of these folders. */
  readonly within?: readonly string[]
  /** It leads into none of these folders. */
  readonly outside?: readonly string[]
  /** It fits one of these patterns. */
  readonly is?: readonly string[]
}

export interface ToolRule {
  readonly decision: 'allow' | 'deny' | 'ask'
  /** Patterns of names; default: every tool. */
  readonly tools?: readonly string[]
  /** Patterns for arguments. */
  readonly args?: Readonly<Record<string, string>>
  readonly command?: CommandCondition
  readonly path?: PathCondition
  readonly url?: UrlCondition
  /** What the model, or the person who is asked, is told. */
  readonly reason?: string
}

export interface ToolPolicyOptions {
  /** In order; the first one that matches decides. */
  readonly rules?: readonly ToolRule[]
  /** For calls that no rule matches; default: ask. */
  readonly otherwise?: 'allow' | 'deny' | 'ask'
}

const decision = word(['allow', 'deny', 'ask'])
const argument = described(
  text({ maxLength: 128 }),
  'The argument that holds it.',
)
const texts = list(text({ maxLength: 1_000 }), { min: 1, max: 500 })

const command = object<CommandCondition>(
  {
    argument: described(argument, 'The argument; default: `command`.'),
    is: described(
      texts,
      'Patterns. To allow: all it runs is one of these. Else: some of it is.',
    ),
  },
  ['is'],
)

const path = object<PathCondition>(
  {
    argument,
    within: described(texts, 'It leads into one of these folders.'),
    outside: described(texts, 'It leads into none of these folders.'),
    is: described(texts, 'It fits one of these patterns.'),
  },
  ['argument'],
)

const url = object<UrlCondition>(
  {
    argument,
    schemes: described(
      list(
        text({
          ...{ maxLength: 32, pattern: /^[a-z][a-z\d+.-]*$/i },
          kind: 'name of a scheme, such as https',
        }),
        { min: 1, max: 500 },
      ),
      'Such as https.',
    ),
    hosts: described(texts, 'Hosts; those below them count, too.'),
    ports: described(
      list(number({ isWhole: true, min: 0, max: 65_535 }), {
        ...{ min: 1, max: 100 },
      }),
      'Ports; that of the scheme where none is written.',
    ),
    isPrivate: described(
      flag,
      'Whether it leads to this machine or to a network that is not public.',
    ),
    hasUser: described(flag, 'Whether a name stands before the host.'),
  },
  ['argument'],
)

const rule = object<ToolRule>(
  {
    decision: described(decision, 'What happens to a call that matches.'),
    tools: described(
      list(text({ maxLength: 256 }), { min: 1, max: 500 }),
      'Patterns of names; default: every tool.',
    ),
    args: described(
      record(text({ maxLength: 1_000, mayBeEmpty: true }), {
        ...{ keys: /^.{1,128}$/, kind: 'name of an argument', max: 50 },
      }),
      'Patterns for arguments.',
    ),
    command: described(command, 'What the command in an argument does.'),
    path: described(path, 'Where the path in an argument leads.'),
    url: described(url, 'Where the address in an argument leads.'),
    reason: described(
      text({ maxLength: 1_000 }),
      'What the model, or the person who is asked, is told.',
    ),
  },
  ['decision'],
)

export const toolPolicyOptions = object<ToolPolicyOptions>(
  {
    rules: described(
      list(rule, { max: 500 }),
      'In order; the first one that matches decides.',
    ),
    otherwise: described(
      decision,
      'For calls that no rule matches; default: ask.',
    ),
  },
  [],
)
