// Measures the pages in a real Chromium, against a real daemon: what they load,
// how soon they can be used, whether a long timeline scrolls without a halt, and
// whether they keep what they no longer need.
import { launchChromium } from '../src/fixtures/chromium.ts'
import { firstLoads } from '../src/fixtures/first-load.ts'
import { openInspector } from '../src/fixtures/inspector-page.ts'
import { openTestDaemon } from '../src/fixtures/test-daemon.ts'
import { playLongTurn } from './long-turn.ts'
import { measureLoad } from './measure-load.ts'
import { eventsOfAnHour, measureMemory } from './measure-memory.ts'
import { measureScroll } from './measure-scroll.ts'

const say = (name: string, value: string) =>
  process.stdout.write(`${name.padEnd(44)} ${value}\n`)
const round = (value: number, digits = 1) => Number(value.toFixed(digits))
const ms = (value: number) => `${round(value)} ms`

const largest = Math.max(...firstLoads().map(({ bytes }) => bytes))
const firstLoadKb = round(largest / 1_000)
say('First load, of the largest view, compressed', `${firstLoadKb} kB`)

const daemon = await openTestDaemon()
const browser = await launchChromium()
try {
  const path = await playLongTurn(daemon)
  const liveMs = await measureLoad({
    browser,
    daemon,
    path: '/live',
    isThere: (page) => page.getByText('Recent sessions').waitFor(),
  })
  say('Live can be used after', ms(liveMs))
  const timelineMs = await measureLoad({
    browser,
    daemon,
    path,
    isThere: (page) => page.getByRole('treeitem').nth(5).waitFor(),
  })
  say('The timeline can be used after', ms(timelineMs))

  const { page, context } = await openInspector(browser, daemon, { path })
  await page.getByText(/^[\d,]{5,} rows$/).waitFor()
  const { rows, frames, tasks } = await measureScroll(browser, page)
  await context.close()
  const longestTaskMs = tasks[0]?.workedMs ?? 0
  const above50 = tasks.filter(({ workedMs }) => workedMs > 50).length
  const tookMs = Math.max(...tasks.map((task) => task.tookMs))
  say('Rows scrolled through, and back', rows.toLocaleString('en'))
  say('Longest task meanwhile', `${ms(longestTaskMs)}, in ${frames} frames`)
  say('  with what else the machine did', ms(tookMs))
  say('Tasks above 50 ms', above50 === 0 ? 'none' : String(above50))

  const { events, seconds, pages } = await measureMemory(browser, daemon)
  const count = events.toLocaleString('en')
  const hours = round(events / eventsOfAnHour, 2)
  say('Events replayed', `${count} in ${round(seconds)} s: of ${hours} hours`)
  for (const { view, heapMb, nodes } of pages) {
    const heap = heapMb.map((one) => `${round(one)} MB`).join(', ')
    say(`Heap of "${view}" at start, middle and end`, heap)
    say(`Nodes of "${view}" at start, middle and end`, nodes.join(', '))
  }
  const growthMb = pages.map(({ heapMb: [first = 0, , last = 0] }) => {
    return round(last - first)
  })
  const figures = {
    firstLoadKb,
    liveMs: round(liveMs),
    timelineMs: round(timelineMs),
    rows,
    longestTaskMs: round(longestTaskMs),
    tasksAbove50Ms: above50,
    events,
    growthMb: Math.max(...growthMb),
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
} finally {
  await browser.close()
  await daemon.remove()
}
