import type { Readable, Writable } from 'node:stream'
import { type CANCEL_SYMBOL, isCancel } from '@clack/prompts'

/** The keyboard and the screen, which one at a time can have. */
export interface Terminal {
  /** What another command needs to be told to ask the same daemon. */
  readonly reach?: string
  readonly input: Readable
  readonly screen: Writable
  /** Nothing else is shown or read until `release`. */
  hold(): void
  release(): void
  /** Somebody has pressed Ctrl-C while something was asked. */
  onInterrupt(): void
}

/**
 * Has the terminal to itself while it asks. Gives undefined when there is no
 * answer: it was interrupted, passed over, or is no longer needed.
 */
export async function askAt<T>(
  terminal: Terminal,
  signal: AbortSignal,
  ask: (common: {
    readonly input: Readable
    readonly output: Writable
    readonly signal: AbortSignal
  }) => Promise<T | typeof CANCEL_SYMBOL>,
): Promise<T | undefined> {
  const { input, screen } = terminal
  let isInterrupted = false
  const onKey = (_: unknown, key?: { ctrl?: boolean; name?: string }) => {
    if (key?.ctrl === true && key.name === 'c') isInterrupted = true
  }
  input.on('keypress', onKey)
  try {
    const answer = await ask({ input, output: screen, signal })
    if (!isCancel(answer)) return answer
  } finally {
    input.off('keypress', onKey)
  }
  if (isInterrupted) terminal.onInterrupt()
  return undefined
}
