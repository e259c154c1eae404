// Builds every package from nothing, so that no file of a deleted source stays:
// the compiler writes the declarations, and the bundler the code, in as few
// files as its entries allow. A process that imports a package finds it at once.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'vite'

/** What others import; the inspector is part of the daemon instead. */
const packages = ['packages/core', 'packages/agent', 'packages/daemon']

/**
 * The entries of a package by the names of their files: as its exports and
 * its commands say, and its threads.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function entriesOf(folder) {
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const exported = Object.values(manifest.exports).flatMap(
    ({ default: file }) => file ?? [],
  )
  const files = [...exported, ...Object.values(manifest.bin ?? {})]
  const entries = files.map((file) => file.slice('./dist/'.length, -3))
  // What runs on a thread of its own is loaded by its file.
  const threads = readdirSync(`${folder}/src`, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('-thread.ts'))
    .map((file) => file.slice(0, -3))
  const names = [...entries, ...threads]
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

/** Publishes the schema of config files, for editors: with and without a daemon. */
async function writeSchemas() {
  const { createConfigSchema } = await import('@hookline/agent/config')
  const { shippedHooks: catalogue } = await import('@hookline/agent/hooks')
  const { configSections } = await import('@hookline/daemon')
  const sections = { agent: [], daemon: configSections() }
  for (const [name, further] of Object.entries(sections)) {
    const schema = createConfigSchema({ sections: further, catalogue })
    const text = `${JSON.stringify(schema, null, 2)}\n`
    writeFileSync(`packages/${name}/dist/hookline.schema.json`, text)
  }
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
if (status === 0) {
  await Promise.all(packages.map(bundle))
  await writeSchemas()
  await build({ root: 'packages/inspector', logLevel: 'warn' })
}
