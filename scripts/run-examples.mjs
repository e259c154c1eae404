// Runs every example; each must end by itself with exit code 0.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const TIMEOUT_MS = 60_000
const examples = readdirSync('examples/src')
  .filter((file) => file.endsWith('.ts'))
  .sort()
if (examples.length === 0) throw new Error('examples/src holds no example.')

for (const file of examples) {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [`examples/src/${file}`],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    },
  )
  if (status !== 0) {
    console.error(`${stdout}${stderr}`)
    console.error(`examples/src/${file} ended with ${signal ?? status}.`)
    process.exit(1)
  }
  console.log(`examples/src/${file}`)
}
