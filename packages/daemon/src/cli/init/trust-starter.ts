import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadSettings } from '../../reload/load-settings.ts'
import type { StarterFile } from './starter-files.ts'

/** Trusts what was just written here, and nothing else of the project. */
export async function trustStarter(
  root: string,
  files: readonly StarterFile[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { sourceOf } = await import('@hookline/agent/config')
  const { config, trust } = await loadSettings({ root, env, runsCode: false })
  const written = new Map(
    files.map(({ path, text }) => [join(root, path), text]),
  )
  for (const path of written.keys()) {
    const bytes = await readFile(path)
    // Somebody may have changed it since.
    if (bytes.toString('utf8') !== written.get(path)) continue
    const hash = createHash('sha256').update(bytes).digest('hex')
    await trust.trustFile(root, { path, hash })
  }
  const sources = config.hooks
    .filter(({ file }) => written.has(file))
    .map(({ definition, name, folder }) =>
      sourceOf(definition, { name, folder }),
    )
  const { items } = trust.inspect(root, sources)
  if (items.length > 0) await trust.trust(items.map(({ hash }) => hash))
}
