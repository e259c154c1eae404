import type { Browser, Page } from 'playwright-core'

export interface Scrolled {
  readonly rows: number
  readonly frames: number
  /** Of the main thread of the page, the longest first. */
  readonly tasks: readonly Task[]
}

export interface Task {
  /** How long the thread worked: what else the machine does is not in it. */
  readonly workedMs: number
  readonly tookMs: number
}

const rowHeight = 28
const notch = 600

/** From the first row to the last, as fast as a wheel turns, and back. */
export async function measureScroll(
  browser: Browser,
  page: Page,
): Promise<Scrolled> {
  const tree = page.getByRole('tree')
  const first = tree.getByRole('treeitem').first()
  const rows = Number(await first.getAttribute('aria-setsize'))
  if (rows < 5_000) throw new Error(`There are ${rows} rows: too few.`)
  await tree.hover()
  const height = rows * rowHeight
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  const countFrames = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let count = 0
        let isOver = false
        addEventListener('scroll-over', () => {
          isOver = true
        })
        const frame = () => {
          count++
          if (isOver) resolve(count)
          else requestAnimationFrame(frame)
        }
        requestAnimationFrame(frame)
      }),
  )
  for (let at = 0; at < height; at += notch) await page.mouse.wheel(0, notch)
  // It has come to the end, or nothing was measured.
  await page.locator(`[aria-posinset="${rows}"]`).waitFor()
  for (let at = 0; at < height; at += notch) await page.mouse.wheel(0, -notch)
  await page.locator('[aria-posinset="1"]').waitFor()
  await page.evaluate(() => dispatchEvent(new Event('scroll-over')))
  const frames = await countFrames
  const trace = await browser.stopTracing()
  return { rows, frames, tasks: tasksIn(trace.toString()) }
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** In microseconds. */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Whatever the main thread of the page did at a stretch. */
function tasksIn(trace: string): readonly Task[] {
  // The browser has written it, for us.
  const { traceEvents } = JSON.parse(trace) as {
    readonly traceEvents: readonly TraceEvent[]
  }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => {
        return name === 'thread_name' && args?.name === 'CrRendererMain'
      })
      .map(({ pid, tid }) => `${pid}/${tid}`),
  )
  const tasks = traceEvents.filter(({ name, ph, pid, tid }) => {
    const isTask = ph === 'X' && /\bRunTask$/.test(name)
    return isTask && mains.has(`${pid}/${tid}`)
  })
  if (!tasks.some(({ tdur = 0 }) => tdur > 0)) {
    throw new Error('The browser told of no work.')
  }
  return tasks
    .map(({ dur = 0, tdur = 0 }) => {
      return { workedMs: tdur / 1_000, tookMs: dur / 1_000 }
    })
    .toSorted((one, other) => other.workedMs - one.workedMs)
}
