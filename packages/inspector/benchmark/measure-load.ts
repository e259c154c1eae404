import type { Browser, Page } from 'playwright-core'
import { openInspector } from '../src/fixtures/inspector-page.ts'
import type { TestDaemon } from '../src/fixtures/test-daemon.ts'

const loads = 5

interface LoadParts {
  readonly browser: Browser
  readonly daemon: TestDaemon
  readonly path: string
  /** What has to be there before anybody can use it. */
  readonly isThere: (page: Page) => Promise<void>
}

/**
 * From the request of the page, with nothing kept, until what was asked for is
 * drawn and the page has nothing more to do: the median, in milliseconds.
 */
export async function measureLoad(parts: LoadParts): Promise<number> {
  const times: number[] = []
  for (let load = 0; load < loads; load++) times.push(await loadOnce(parts))
  times.sort((one, other) => one - other)
  return times[Math.floor(times.length / 2)] ?? 0
}

async function loadOnce({ browser, daemon, path, isThere }: LoadParts) {
  const { page, context } = await openInspector(browser, daemon, { path })
  await isThere(page)
  const readyMs = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        requestAnimationFrame(() =>
          setTimeout(() => resolve(performance.now())),
        )
      }),
  )
  await context.close()
  return readyMs
}
