// Builds every package from nothing, so that no file of a deleted source stays.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'

const packages = readdirSync('packages')
  .map((name) => `packages/${name}`)
  .filter((folder) => existsSync(`${folder}/tsconfig.json`))

for (const folder of packages) {
  rmSync(`${folder}/dist`, { recursive: true, force: true })
}

const { status } = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-b', ...packages],
  { stdio: 'inherit' },
)
process.exitCode = status ?? 1
