import { findInPath } from './find-program.ts'

/**
 * The arguments that have a shell run a script: bash, since people write for
 * it, else sh; neither as a login nor with anybody's start-up files. Data
 * reach the script by its input alone, so that none of it is read as code.
 */
export async function shellArgv(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  if (process.platform === 'win32') return ['cmd', '/d', '/s', '/c', script]
  const bash = findInPath('bash', env)
  if (bash === undefined) return ['sh', '-c', script]
  return [bash, '--noprofile', '--norc', '-c', script]
}
