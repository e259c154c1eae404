import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'

const target = resolve(import.meta.dirname, '../../../docs/pictures')

/** What the README shows, of a desk's width, and how much from the top. */
const heights: ReadonlyMap<string, number> = new Map([
  ['turn-detail', 900],
  ['call-asked', 640],
  ['approvals', 560],
])
const width = 1_440

export function isPicture(name: string): boolean {
  return heights.has(name)
}

interface Picture {
  readonly name: string
  readonly theme: string
  readonly png: Buffer
}

/** Makes it small, with what the browser has for that. */
export async function keepPicture(
  browser: Browser,
  { name, theme, png }: Picture,
): Promise<void> {
  const page = await browser.newPage()
  const source = `data:image/png;base64,${png.toString('base64')}`
  const share = (heights.get(name) ?? width) / width
  const small = await page.evaluate(
    async ([url, high]) => {
      const image = new Image()
      image.src = url
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = Math.round(image.width * high)
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.82)
    },
    [source, share] as const,
  )
  await page.close()
  const [type = '', data = ''] = small.split(',')
  if (!type.includes('webp')) throw new Error('The browser makes no WebP.')
  await mkdir(target, { recursive: true })
  const file = join(target, `${name}-${theme}.webp`)
  await writeFile(file, Buffer.from(data, 'base64'))
}
