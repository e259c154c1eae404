import { ask, defineHook, proceed, reject } from 'hookline'
import { type SealedCall, toolGuard } from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  flag,
  list,
  object,
  record,
  text,
  word,
} from '../../define-hooks.ts'
import { AgentError } from '../../index.ts'
import { startFolders } from '../shared/rules/start-folders.ts'
import { problemOfRule } from '../shared/shell/command-rule.ts'
import { defaultDeny } from './default-rules.ts'
import { commandJudge, type Judgement } from './judge-command.ts'

export interface ShellGuardOptions {
  /** The tools that run commands, and the argument that holds them. */
  readonly tools?: Readonly<Record<string, string>>
  /** Commands that never run. */
  readonly deny?: readonly string[]
  /** Commands that a person has to agree to. */
  readonly ask?: readonly string[]
  /** Commands that run unasked; others then have to be agreed to. */
  readonly allow?: readonly string[]
  /** Whether the list that ships is denied, too; default: it is. */
  readonly defaults?: boolean
  /** Patterns of that list which are left out. */
  readonly without?: readonly string[]
  /** For what cannot be known before it runs; default: ask. */
  readonly unknown?: 'ask' | 'deny'
  /** For what no rule is about; default: allow, or ask if `allow` is given. */
  readonly otherwise?: 'allow' | 'ask' | 'deny'
}

const patterns = list(text({ maxLength: 200 }), { max: 500 })

const options = object<ShellGuardOptions>(
  {
    tools: described(
      record(text({ maxLength: 128 }), {
        ...{ keys: /^.{1,128}$/, kind: 'name of a tool', max: 100 },
      }),
      'The tools that run commands, and the argument that holds them.',
    ),
    deny: described(patterns, 'Commands that never run.'),
    ask: described(patterns, 'Commands that a person has to agree to.'),
    allow: described(
      patterns,
      'Commands that run unasked; others then have to be agreed to.',
    ),
    defaults: described(
      flag,
      'Whether the list that ships is denied, too; default: it is.',
    ),
    without: described(patterns, 'Patterns of that list that are left out.'),
    unknown: described(
      word(['ask', 'deny']),
      'For what cannot be known before it runs; default: ask.',
    ),
    otherwise: described(
      word(['allow', 'ask', 'deny']),
      'For what no rule is about; default: allow, or ask if `allow` is given.',
    ),
  },
  [],
)

/** Judges commands as a shell would read them, before they run. */
export const shellGuard = defineHooks({
  name: 'shell-guard',
  description: 'Denies dangerous commands, also when they are disguised.',
  options,
  create(given, { name }) {
    const { tools = { shell: 'command', bash: 'command' } } = given
    const { deny = [], ask: asking = [], allow = [], unknown = 'ask' } = given
    const { defaults = true, without = [] } = given
    for (const pattern of [...deny, ...asking, ...allow]) checkPattern(pattern)
    const shipped = defaultDeny.filter((one) => !without.includes(one))
    const otherwise = given.otherwise ?? (given.allow ? 'ask' : 'allow')
    const judge = commandJudge({
      deny: [...deny, ...(defaults ? shipped : [])],
      ...{ ask: asking, allow, unknown, otherwise },
    })
    const guard = defineHook({
      name,
      on: toolGuard,
      handler: { version: '1' },
      run: (call, { scope }) => {
        if (!Object.hasOwn(tools, call.tool)) return proceed
        const command = call.args[tools[call.tool] ?? '']
        if (typeof command !== 'string') {
          return reject('There is no command to be judged.')
        }
        const folders = startFolders(call.args, scope.cwd)
        return answerTo(judge(command, folders), call)
      },
    })
    return [guard]
  },
})

function answerTo({ decision, why }: Judgement, { tool }: SealedCall) {
  if (decision === 'allow') return proceed
  if (decision === 'ask') return ask(`May "${tool}" run this? Because: ${why}.`)
  return reject(`This command is not run: ${why}.`)
}

function checkPattern(pattern: string): void {
  const problem = problemOfRule(pattern)
  if (problem === undefined) return
  const message = `The pattern "${pattern}" is none: ${problem}.`
  throw new AgentError('invalid-config', message)
}
