import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { createCommandRunner } from '@hookline/agent/handlers'
import { homePaths } from '../../server/home-paths.ts'
import { readPrivateFile } from '../../server/private-file.ts'
import { checkPrivateFolder, lookAt } from '../../server/private-folder.ts'
import { explainError } from '../explain-error.ts'
import { type Check, failure, ok, warning } from './check.ts'

const lowBytes = 500 * 1_048_576
const tooLowBytes = 20 * 1_048_576

export interface MachineOptions {
  readonly home: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Default: bubblewrap, wherever it is in the PATH. */
  readonly sandboxProgram?: string
}

/** What has to be right before anything is started. */
export async function checkMachine({
  home,
  env,
  ...sandbox
}: MachineOptions): Promise<readonly Check[]> {
  const { path, token } = homePaths({ path: home, env })
  return [
    // One that is too old does not come this far.
    ok('node', `Node ${process.versions.node}`),
    checkHome(path, token),
    checkDisk(path),
    await checkSqlite(),
    await checkSandbox(sandbox),
  ]
}

function checkHome(path: string, token: string): Check {
  if (lookAt(path) === undefined) {
    return ok('home', `${path} will be made when the daemon first runs`)
  }
  try {
    checkPrivateFolder(path)
    readPrivateFile(token)
  } catch (error) {
    return failure('home', explainError(error).message)
  }
  return ok('home', `${path} is yours alone`)
}

function checkDisk(home: string): Check {
  let folder = home
  while (lookAt(folder) === undefined && dirname(folder) !== folder) {
    folder = dirname(folder)
  }
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const text = `${Math.round(free / 1_048_576)} MB are free at ${folder}`
  if (free < tooLowBytes) return failure('disk', `Only ${text}; free some.`)
  return free < lowBytes ? warning('disk', `Only ${text}.`) : ok('disk', text)
}

async function checkSqlite(): Promise<Check> {
  try {
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(':memory:')
    const row = database.prepare('select sqlite_version() as version').get()
    database.close()
    return ok('sqlite', `SQLite ${String(row?.['version'])}`)
  } catch (error) {
    const { message } = explainError(error)
    return failure('sqlite', `SQLite does not work: ${message}`)
  }
}

/** Without one, `shell` does nothing unless the policy says `sandbox: none`. */
async function checkSandbox(
  options: Pick<MachineOptions, 'sandboxProgram'>,
): Promise<Check> {
  const runner = createCommandRunner(options)
  try {
    await runner.run({
      argv: ['true'],
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
      cwd: '/',
      stdin: '',
      timeoutMs: 10_000,
      sandbox: {},
    })
    return ok('sandbox', 'commands can be confined')
  } catch (error) {
    return warning('sandbox', explainError(error).message)
  } finally {
    await runner.close()
  }
}
