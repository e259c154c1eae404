import {
  clearScreenDown,
  createInterface,
  cursorTo,
  type Interface,
  moveCursor,
} from 'node:readline'
import type { Sink } from '../turn/sink.ts'
import { EchoStream, type Screen } from './echo-stream.ts'
import { LineJoiner } from './line-joiner.ts'

export interface ChatScreenOptions {
  readonly input: NodeJS.ReadStream
  readonly screen: Screen
  readonly prompt: string
  /** What was said before, the latest first. */
  readonly history: readonly string[]
  readonly onLine: (text: string) => void
  readonly onInterrupt: () => void
  /** Nothing more will be said. */
  readonly onEnd: () => void
}

const startPaste = '\x1b[?2004h'
const endPaste = '\x1b[?2004l'

/**
 * One screen for what is typed and what is told. While an agent speaks, the
 * line that is typed appears with its first character; what the agent says
 * then comes above it, by whole lines.
 */
export class ChatScreen implements Sink {
  readonly #options: ChatScreenOptions
  #history: string[]
  #lines: Interface | undefined
  /** Whether the line that is typed can be seen. */
  #isShown = false
  #isBusy = false
  #isInText = false
  /** What was told while something was typed, and is not a whole line yet. */
  #held = ''
  /** What was told while the screen was somebody else's. */
  #waiting: (() => void)[] | undefined
  /** What was being typed when the screen was given away. */
  #draft = ''

  constructor(options: ChatScreenOptions) {
    this.#options = options
    this.#history = [...options.history]
  }

  /** Reads what is typed, from now on. */
  open(): void {
    const { input, screen, prompt, onInterrupt, onEnd } = this.#options
    const echo = new EchoStream(screen, () => this.#isShown)
    const lines = createInterface({
      input,
      output: echo,
      terminal: true,
      history: this.#history,
      historySize: 500,
      removeHistoryDuplicates: true,
      prompt,
    })
    this.#lines = lines
    screen.write(startPaste)
    const joiner = new LineJoiner(input)
    lines.on('history', (history) => {
      this.#history = history
    })
    lines.on('line', (line) => {
      const whole = joiner.add(line)
      if (whole === undefined) return
      this.#isShown = false
      if (this.#isBusy) this.#releaseHeld()
      this.#options.onLine(whole)
    })
    lines.on('SIGINT', () => {
      joiner.clear()
      if (lines.line === '') return onInterrupt()
      lines.write(null, { ctrl: true, name: 'e' })
      lines.write(null, { ctrl: true, name: 'u' })
      this.#followTyping()
    })
    lines.on('close', () => {
      joiner.close()
      echo.destroy()
      screen.write(endPaste)
      if (this.#lines === lines) onEnd()
    })
    input.on('keypress', this.#followTyping)
    if (this.#draft !== '') lines.write(this.#draft)
    this.#draft = ''
    if (!this.#isBusy) this.#show()
  }

  close(): void {
    const lines = this.#lines
    this.#lines = undefined
    this.#options.input.off('keypress', this.#followTyping)
    if (this.#isShown) this.#hide()
    lines?.close()
  }

  /** An agent works: what is typed is not waited for. */
  setBusy(isBusy: boolean): void {
    if (this.#isBusy === isBusy) return
    this.#isBusy = isBusy
    if (this.#lines === undefined) return
    if (!isBusy) {
      if (this.#isShown) this.#hide()
      this.#releaseHeld()
      this.#show()
    } else if (this.#isShown && this.#lines.line === '') this.#hide()
  }

  /** Asks for the next thing, below what was told. */
  ask(): void {
    if (!this.#isBusy && this.#lines !== undefined && !this.#isShown) {
      this.#show()
    }
  }

  hold(): void {
    this.#draft = this.#lines?.line ?? ''
    this.close()
    this.#releaseHeld()
    this.endText()
    this.#waiting ??= []
  }

  release(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const tell of waiting) tell()
    this.open()
  }

  text(text: string): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(() => this.text(text))
    } else if (this.#isShown) this.#tellAbove(text)
    else this.#write(text)
  }

  endText(): void {
    if (this.#waiting !== undefined) this.#waiting.push(() => this.endText())
    else if (this.#isShown) this.#tellAbove(this.#held === '' ? '' : '\n')
    else if (this.#isInText) this.#write('\n')
  }

  note(line: string): void {
    this.endText()
    this.text(`${line}\n`)
  }

  /** By whole lines, so that the one that is typed stays below them. */
  #tellAbove(text: string): void {
    this.#held += text
    const end = this.#held.lastIndexOf('\n') + 1
    if (end === 0) return
    const whole = this.#held.slice(0, end)
    this.#held = this.#held.slice(end)
    this.#hide()
    this.#write(whole)
    this.#show()
  }

  #releaseHeld(): void {
    const held = this.#held
    this.#held = ''
    if (held !== '') this.#write(held)
  }

  readonly #followTyping = () => {
    if (!this.#isBusy || this.#lines === undefined) return
    const isTyping = this.#lines.line !== ''
    if (isTyping && !this.#isShown) this.#show()
    else if (!isTyping && this.#isShown) {
      this.#hide()
      this.#releaseHeld()
    }
  }

  #write(text: string): void {
    if (text === '') return
    this.#options.screen.write(text)
    this.#isInText = !text.endsWith('\n')
  }

  #show(): void {
    if (this.#isInText) this.#write('\n')
    this.#isShown = true
    this.#lines?.prompt(true)
  }

  #hide(): void {
    const { screen } = this.#options
    const rows = this.#lines?.getCursorPos().rows ?? 0
    this.#isShown = false
    moveCursor(screen, 0, -rows)
    cursorTo(screen, 0)
    clearScreenDown(screen)
  }
}
