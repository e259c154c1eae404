import { cp, mkdtemp, realpath, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder to play in, and everything that the daemon keeps of it. */
export interface DemoFolder {
  /** Where the agent works. */
  readonly root: string
  /** The state directory of the daemon. */
  readonly home: string
  /** In place of the user's own configuration. */
  readonly user: string
  remove(): Promise<void>
}

/** Made anew each time, so that the story begins where it begins. */
export async function makeDemoFolder(): Promise<DemoFolder> {
  const base = await mkdtemp(join(await realpath(tmpdir()), 'hookline-demo-'))
  const root = join(base, 'shop')
  await cp(templateFolder(), root, { recursive: true })
  return {
    root,
    home: join(base, 'state'),
    user: join(base, 'config'),
    remove: () => rm(base, { recursive: true, force: true }),
  }
}

export const storyModelName = 'demo/story'

/** What the daemon is told, as if on its command line. */
export function demoConfig(model: string) {
  return {
    policy: { mode: 'open' },
    // So that there is something to see of what happened.
    store: { content: { runs: 'redacted', journal: 'redacted' } },
    agents: [
      {
        name: 'shopkeeper',
        description: 'Looks after a little shop.',
        model,
        instructions: 'You look after a little shop. Do what you are asked to.',
        plugins: { memory: {} },
      },
    ],
  }
}

function templateFolder(): string {
  const manifest = findPackageJSON(import.meta.url) ?? ''
  return join(dirname(manifest), 'demo', 'workspace')
}
