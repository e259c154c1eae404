import { parseArgs } from 'node:util'
import { CliError } from '../../cli-error.ts'
import { GivenOptions } from '../../given-options.ts'

/** Products whose hooks can be answered. */
export const bridgeDialects = [
  'claude-code',
  'codex',
  'gemini',
  'cursor',
  'copilot',
  'vs-code',
] as const

type BridgeDialect = (typeof bridgeDialects)[number]

/** What a product wants of us. */
export interface BridgeOrder {
  readonly dialect: BridgeDialect
  /** Default: what the input names. */
  readonly event: string | undefined
  /** When it is refused for want of an answer. */
  readonly timeoutMs: number
  /** The folder that it happens in. */
  readonly root: string
  readonly options: GivenOptions
}

type Environment = Readonly<Record<string, string | undefined>>

/** Products end a hook that takes longer, and then most of them go on. */
const usualMs = 55_000
const shortMs = 25_000

const projectVariables: Partial<Record<BridgeDialect, string>> = {
  'claude-code': 'CLAUDE_PROJECT_DIR',
  gemini: 'GEMINI_PROJECT_DIR',
  cursor: 'CURSOR_PROJECT_DIR',
}

/** Reads the words after `bridge`, without the help of a library. */
export function readBridgeWords(words: readonly string[], env: Environment) {
  const { values, positionals } = parse(words)
  const options = new GivenOptions({
    ...values,
    tokenFile: values['token-file'],
  })
  return bridgeOrder(positionals, { options, env })
}

/** The same from words that were read already. */
export function bridgeOrder(
  args: readonly string[],
  {
    options,
    env,
  }: { readonly options: GivenOptions; readonly env: Environment },
): BridgeOrder {
  const [given = '', ...more] = args
  const dialect = bridgeDialects.find((one) => one === given)
  if (dialect === undefined || more.length > 0) {
    const message = `"${args.join(' ')}" is no dialect; there are: ${bridgeDialects.join(', ')}.`
    throw new CliError('usage', message)
  }
  const isShort = dialect === 'copilot' || dialect === 'vs-code'
  const named = env[projectVariables[dialect] ?? '']
  return {
    dialect,
    event: options.text('event'),
    timeoutMs: options.durationMs('timeout') ?? (isShort ? shortMs : usualMs),
    root: options.text('root') ?? (named || process.cwd()),
    options,
  }
}

function parse(words: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        event: text,
        timeout: text,
        root: text,
        home: text,
        url: text,
        'token-file': text,
        json: { type: 'boolean' },
      },
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new CliError('usage', message, { cause: error })
  }
}
