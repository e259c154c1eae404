import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'

/**
 * Runs npm on the Node that runs this script; throws with npm's output when it
 * fails.
 * @param {string[]} args
 * @param {string} cwd
 */
export function npm(args, cwd) {
  console.log(`npm ${args.join(' ')}`)
  const cli = process.env['npm_execpath'] ?? ''
  const [command, ...before] =
    basename(cli) === 'npm-cli.js' ? [process.execPath, cli] : ['npm']
  const { status, stdout, stderr, error } = spawnSync(
    command,
    [...before, ...args],
    {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      // On Windows npm is a command file, which only a shell can start.
      shell: command === 'npm' && process.platform === 'win32',
    },
  )
  if (error) throw error
  if (status !== 0) {
    throw new Error(`npm ${args.join(' ')} failed.\n${stdout}${stderr}`)
  }
}
