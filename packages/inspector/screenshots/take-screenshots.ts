// Plays the story of the demo, and takes a picture of every view: light and
// dark, as wide as a desk and as narrow as a phone. With --readme, also those
// that the README shows.
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { startDemo } from '../../daemon/src/demo/start-demo.ts'
import { makeDemoFolder } from '../../daemon/src/demo/workspace.ts'
import { createLog } from '../../daemon/src/log/create-log.ts'
import { launchChromium } from '../src/fixtures/chromium.ts'
import { isPicture, keepPicture } from './pictures.ts'
import { type Daemon, playStory } from './play-story.ts'
import { listShots, type Shot } from './shots.ts'

const target = resolve(import.meta.dirname, '../../../.cache/screenshots')
const sizes = {
  desktop: { width: 1_440, height: 900 },
  phone: { width: 390, height: 844 },
}
const themes = ['light', 'dark'] as const
const isForReadme = process.argv.includes('--readme')

async function shoot(
  browser: Browser,
  { client, addresses }: Daemon,
  shots: readonly Shot[],
): Promise<void> {
  const { url = '' } = addresses
  for (const [sizeName, viewport] of Object.entries(sizes)) {
    for (const colorScheme of themes) {
      const context = await browser.newContext({
        viewport,
        colorScheme,
        deviceScaleFactor: 2,
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      const save = (name: string) =>
        page.screenshot({
          path: join(target, `${name}-${sizeName}-${colorScheme}.png`),
        })
      await page.goto(url)
      await page.getByText('hookline open').waitFor()
      await save('sign-in')
      const { code } = await client.createLogin()
      await page.goto(`${url}/live#code=${code}`)
      await page.getByRole('link', { name: 'Approvals' }).first().waitFor()
      for (const { name, href, prepare } of shots) {
        await page.goto(url + href)
        await page.getByRole('navigation').first().waitFor()
        await page.waitForTimeout(500)
        await prepare?.(page)
        await page.waitForTimeout(200)
        const png = await save(name)
        if (isForReadme && sizeName === 'desktop' && isPicture(name)) {
          await keepPicture(browser, { name, theme: colorScheme, png })
        }
      }
      await context.close()
    }
  }
}

await rm(target, { recursive: true, force: true })
await mkdir(target, { recursive: true })
const folder = await makeDemoFolder()
const log = createLog({ level: 'error' })
const daemon = await startDemo(folder, { env: {}, log })
const browser = await launchChromium()
try {
  const sessions = await playStory(daemon)
  await shoot(browser, daemon, await listShots(daemon, sessions))
  process.stdout.write(`The pictures are in ${target}\n`)
} finally {
  await browser.close()
  await daemon.close({ graceMs: 0 })
  await folder.remove()
}
