import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './npm.mjs'

const OLDEST = '22.18'
const PROVIDED = '24.21.0'

/** @param {string} version */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST.split('.').map(Number)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

/**
 * Gives the path of a supported Node inside the ignored folder `.node`, and
 * installs it there the first time.
 * @param {string} root
 */
export function provideNode(root) {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${system}-${process.arch}`
  const folder = join(root, '.node', PROVIDED)
  const binary = system === 'win' ? 'node.exe' : 'node'
  const node = join(folder, 'node_modules', name, 'bin', binary)
  if (!existsSync(node)) {
    const running = process.versions.node
    console.log(`Node ${running} is too old; fetching ${PROVIDED} into .node`)
    installNode(`${name}@${PROVIDED}`, folder)
  }
  return node
}

/**
 * The install happens in a folder of its own that is renamed at the end, so
 * that an interrupted one is never taken for a whole one.
 * @param {string} spec
 * @param {string} folder
 */
function installNode(spec, folder) {
  const draft = `${folder}-${process.pid}`
  mkdirSync(draft, { recursive: true })
  try {
    const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund']
    npm(['install', '--prefix', draft, ...quiet, spec], draft)
    if (!existsSync(folder)) renameSync(draft, folder)
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `This Node is ${process.versions.node}, ${OLDEST} or newer is ` +
        `needed, and ${spec} could not be installed: ${detail}\n` +
        'Install a newer Node by hand.',
      { cause },
    )
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
