import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refusal } from './commands/bridge/bridge-reply.ts'

/** In a clone, where the build keeps the Node that it has fetched. */
const fetched = fileURLToPath(new URL('../../../../.node', import.meta.url))

/**
 * Says that this Node is too old; gives the exit code. Older Nodes load it, so
 * that it imports only what they have.
 */
export function refuseOldNode(
  words: readonly string[],
  oldest: string,
): number {
  const message = `hookline needs Node ${oldest} or newer; this is ${process.versions.node}.`
  if (words[0] === 'bridge') return refuseBridge(words, message)
  const other = findNode(fetched)
  const hint = other && `  The build has fetched one: ${relative('.', other)}\n`
  process.stderr.write(`error: ${message}\n${hint ?? ''}`)
  return 1
}

/** What a product asks is refused: most of them let pass what merely fails. */
function refuseBridge(words: readonly string[], message: string): number {
  const place = words.indexOf('--event')
  const event = place === -1 ? undefined : words[place + 1]
  const { stderr, exitCode } = refusal(message, { event, stdin: readStdin() })
  process.stderr.write(stderr)
  return exitCode
}

function readStdin(): string {
  try {
    return process.stdin.isTTY ? '' : readFileSync(0, 'utf8')
  } catch {
    // Nothing was given; it is refused all the same.
    return ''
  }
}

/** The newest of those in the folder that this machine can run. */
export function findNode(
  folder: string,
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
): string | undefined {
  if (!existsSync(folder)) return undefined
  const isWindows = platform === 'win32'
  const machine = `${isWindows ? 'win' : platform}-${arch}`
  const binary = isWindows ? 'node.exe' : 'node'
  return readdirSync(folder)
    .filter((version) => /^\d+(?:\.\d+){2}$/.test(version))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .flatMap((version) =>
      // For some machines it is published under the other name.
      ['node', 'node-bin'].map((name) =>
        join(
          folder,
          version,
          'node_modules',
          `${name}-${machine}`,
          'bin',
          binary,
        ),
      ),
    )
    .filter((node) => existsSync(node))
    .at(-1)
}
