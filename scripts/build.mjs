// Builds every package from nothing, so that no file of a deleted source stays:
// the compiler writes the declarations, and the bundler the code, in as few
// files as its entries allow. A process that imports a package finds it at once.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'vite'

const packages = readdirSync('packages')
  .map((name) => `packages/${name}`)
  .filter((folder) => existsSync(`${folder}/tsconfig.json`))

/**
 * The entries of a package by the names of their files: as its exports say,
 * and its threads.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const files = Object.values(exports).map((entry) => entry.default)
  const exported = files.map((file) => file.slice('./dist/'.length, -3))
  // What runs on a thread of its own is loaded by its file.
  const threads = readdirSync(`${folder}/src`, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('-thread.ts'))
    .map((file) => file.slice(0, -3))
  const names = [...exported, ...threads]
  return Object.fromEntries(
    names.map((name) => [name, resolve(folder, 'src', `${name}.ts`)]),
  )
}

/** @param {string} folder */
async function bundle(folder) {
  await build({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: 'dist',
      emptyOutDir: false,
      target: 'es2024',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: entriesOf(folder),
        // What is not its own source is imported, not copied.
        external: /^[^./]/,
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'shared/[name].js',
        },
      },
    },
  })
}

for (const folder of packages) {
  rmSync(`${folder}/dist`, { recursive: true, force: true })
}

const { status } = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-b', ...packages],
  { stdio: 'inherit' },
)
process.exitCode = status ?? 1
if (status === 0) await Promise.all(packages.map(bundle))
