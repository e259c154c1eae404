import type { Output } from './output.ts'
import { plainLine } from './plain-text.ts'
import { cutToWidth } from './text-width.ts'

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const quietMs = 1_000
const frameMs = 120

/**
 * Waits for something, and says on a terminal that it does once that takes
 * longer than a second. `describe` is asked anew for every picture.
 */
export async function withProgress<T>(
  output: Output,
  describe: string | (() => string),
  work: Promise<T>,
): Promise<T> {
  if (!output.canRedraw) return await work
  const startedAt = performance.now()
  let frame = 0
  const draw = () => {
    const text = typeof describe === 'string' ? describe : describe()
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    const sign = frames[frame++ % frames.length] ?? ''
    const line = plainLine(`${sign} ${text} (${seconds} s)`)
    output.writeNote(`\r\x1b[K${cutToWidth(line, output.noteColumns - 1)}`)
  }
  let redraw: NodeJS.Timeout | undefined
  const start = setTimeout(() => {
    draw()
    redraw = setInterval(draw, frameMs)
  }, quietMs)
  try {
    return await work
  } finally {
    clearTimeout(start)
    clearInterval(redraw)
    if (redraw !== undefined) output.writeNote('\r\x1b[K')
  }
}
