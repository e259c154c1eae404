import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'vitest'
import { stageInspector } from '../fixtures/stage.ts'

const stage = stageInspector()

async function write(file: string, text: string): Promise<void> {
  const folder = join(stage.daemon.root, '.hookline')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, file), text)
  await stage.daemon.client.reload()
}

test('plans tell what is written and not in force, and forget it when that is mended', async () => {
  const { page } = await stage.open({ path: '/plans' })
  await page.getByText('Points without hooks').waitFor()
  const notes = page.getByRole('region', { name: 'Not in force' })
  await notes.waitFor({ state: 'detached' })
  await write('hooks.yaml', 'hooks:\n  - { name: guard, no: tool.guard }\n')
  await notes.getByText('Nothing of this file is used').waitFor()
  await notes.getByText(/hooks\.yaml:2:\d+$/).waitFor()
  await write(
    'hooks.yaml',
    "hooks:\n  - { name: guard, on: tool.guard, handler: { type: command, shell: 'exit 0' } }\n",
  )
  await notes
    .getByText('1 hook of the project does nothing until you trust it')
    .waitFor()
  await notes.getByText('hookline hooks trust').waitFor()
  const { items } = await stage.daemon.client.listUntrusted()
  await stage.daemon.client.trust({ hashes: items.map(({ hash }) => hash) })
  await notes.waitFor({ state: 'detached' })
})
