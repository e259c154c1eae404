import { hooklineVersion } from '../version.ts'
import { CliError } from './cli-error.ts'
import type { Command } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { exitCodes } from './exit-codes.ts'
import { explainError } from './explain-error.ts'
import { GivenOptions } from './given-options.ts'
import { Output } from './output/output.ts'
import { quietWarnings } from './quiet-warnings.ts'
import { readWords } from './read-words.ts'
import { reportError } from './report-error.ts'

/** Does what the words ask for, and ends the process. */
export async function runCli(words: readonly string[]): Promise<void> {
  const { env, stdout, stderr } = process
  const end = words.indexOf('--')
  const named = end === -1 ? words : words.slice(0, end)
  const isJson = named.includes('--json')
  const output = new Output({ stdout, stderr, env, isJson })
  quietWarnings()
  // Until it is known which command it is, nobody goes on without a reader.
  let outlivesReader = false
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
      output.close()
      if (!outlivesReader) process.exit(exitCodes.ok.code)
    })
  }
  const code = await runWords(words, {
    output,
    env,
    onCommand: (command) => {
      outlivesReader = command.outlivesReader === true
    },
  })
  await flush()
  process.exit(code)
}

export interface RunOptions {
  readonly output: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Hears which command it is, before it runs. */
  readonly onCommand?: (command: Command) => void
}

/** Does what the words ask for; gives the exit code. */
export async function runWords(
  words: readonly string[],
  { output, env, onCommand = () => {} }: RunOptions,
): Promise<number> {
  try {
    const invocation = await readWords(words, {
      version: hooklineVersion(),
      writeHelp: (text) => output.write(text),
      bold: (text) => output.style('bold', text),
    })
    if (invocation === undefined) return exitCodes.ok.code
    const { command, args } = invocation
    onCommand(command)
    if (command.run === undefined) {
      throw new CliError('usage', 'There is nothing to do.')
    }
    const options = new GivenOptions(invocation.options)
    const context: CommandContext = {
      args,
      options,
      output,
      env,
      async connect() {
        const { connectDaemon } = await import('./connect/connect-daemon.ts')
        return await connectDaemon({ options, env })
      },
    }
    const exit = (await command.run(context)) ?? 'ok'
    return exitCodes[exit].code
  } catch (error) {
    const isDebug = env['HOOKLINE_DEBUG'] === '1'
    return reportError(explainError(error), output, { isDebug })
  }
}

/** What was written to a pipe may still be on its way. */
async function flush(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writableLength === 0) continue
    await new Promise<void>((resolve) => {
      stream.write('', () => resolve())
      stream.once('error', () => resolve())
    })
  }
}
