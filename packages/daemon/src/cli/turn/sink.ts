import type { Output } from '../output/output.ts'

/** Where a turn is shown: what the agent says, and what happens beside it. */
export interface Sink {
  text(text: string): void
  /** What comes next begins a line. */
  endText(): void
  /** A line of its own. */
  note(line: string): void
}

/** Text on stdout and the rest on stderr, whether or not they are one screen. */
export function createOutputSink(output: Output): Sink {
  const isOneScreen = output.isTerminal && output.isNoteTerminal
  let isInLine = false
  const endLine = () => {
    if (isInLine) output.line()
    isInLine = false
  }
  return {
    text(text) {
      if (text === '') return
      output.write(text)
      isInLine = !text.endsWith('\n')
    },
    note(line) {
      if (isOneScreen) endLine()
      output.note(line)
    },
    endText: endLine,
  }
}

/** A sink that can be told to wait, while somebody is asked something. */
export function createHeldSink(sink: Sink): Sink & {
  hold(): void
  release(): void
} {
  let held: (() => void)[] | undefined
  const pass = (show: () => void) => {
    if (held === undefined) show()
    else held.push(show)
  }
  return {
    text: (text) => pass(() => sink.text(text)),
    endText: () => pass(() => sink.endText()),
    note: (line) => pass(() => sink.note(line)),
    hold() {
      held ??= []
    },
    release() {
      const waiting = held ?? []
      held = undefined
      for (const show of waiting) show()
    },
  }
}
