import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './npm.mjs'

/**
 * Runs `npm ci` unless the stamp in node_modules says that this very lockfile
 * is installed. The stamp is written last, so an interrupted install is redone.
 * @param {string} root
 * @param {(args: string[], cwd: string) => void} run
 */
export function installDependencies(root, run = npm) {
  const lockfile = readFileSync(join(root, 'package-lock.json'))
  const hash = createHash('sha256').update(lockfile).digest('hex')
  const stamp = join(root, 'node_modules', '.installed-lockfile')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  rmSync(stamp, { force: true })
  run(['ci', '--include=dev', '--no-audit', '--no-fund'], root)
  writeFileSync(stamp, hash)
}
