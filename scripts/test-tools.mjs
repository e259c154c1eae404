import { spawnSync } from 'node:child_process'

/** Programs that tests use beside Node, and the Debian packages they are in. */
const tools = [
  ['strace', 'strace'],
  ['bwrap', 'bubblewrap'],
  ['openssl', 'openssl'],
  ['python3', 'python3-minimal'],
  ['git', 'git'],
]

/** @param {string} program */
function isThere(program) {
  const { status } = spawnSync('sh', ['-c', `command -v ${program}`])
  return status === 0
}

/** Installs what is missing, where it may; says loudly what still is. */
export function setup() {
  const missing = tools.filter(([program = '']) => !isThere(program))
  if (missing.length === 0) return
  const packages = missing.map(([, name = '']) => name)
  if (process.getuid?.() === 0 && isThere('apt-get')) {
    const options = ['install', '-y', '--no-install-recommends', ...packages]
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update'], { env, timeout: 120_000 })
    spawnSync('apt-get', options, { env, timeout: 300_000 })
  }
  for (const [program = '', name] of missing) {
    if (isThere(program)) continue
    console.warn(
      `NOT THERE: ${program}, which tests use. Install the package ${name}.`,
    )
  }
}
