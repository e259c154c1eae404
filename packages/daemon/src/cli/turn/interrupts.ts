import { exitCodes } from '../exit-codes.ts'
import type { Output } from '../output/output.ts'

export interface Interrupts {
  /** Somebody has pressed Ctrl-C. */
  readonly isInterrupted: boolean
  /** As if somebody had pressed Ctrl-C. */
  interrupt(): void
  /** Lends the first one, until what it gives is called. */
  lend(onFirst: () => void): () => void
  close(): void
}

/**
 * The first Ctrl-C asks for an end, the second leaves at once. Where nobody
 * has lent it, the command ends already, and the first is only told so.
 */
export function watchInterrupts(output: Output): Interrupts {
  let count = 0
  const tellHere = () => tellEnding(output)
  let tell = tellHere
  const interrupt = () => {
    if (++count === 1) tell()
    else process.exit(exitCodes.interrupted.code)
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return {
    get isInterrupted() {
      return count > 0
    },
    interrupt,
    lend(onFirst) {
      tell = onFirst
      return () => {
        tell = tellHere
      }
    },
    close() {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
    },
  }
}

export function tellEnding(output: Output): void {
  output.note('Ending; once more to leave at once.')
}

/** Lets something end that a Ctrl-C would cut off. */
export async function endWell(
  output: Output,
  end: () => Promise<void>,
): Promise<void> {
  const interrupts = watchInterrupts(output)
  try {
    await end()
  } finally {
    interrupts.close()
  }
}

export interface Ending {
  begin(): void
  close(): void
}

/** The same from its begin on: before, Ctrl-C means something else. */
export function createEnding(output: Output): Ending {
  let interrupts: Interrupts | undefined
  return {
    begin() {
      interrupts ??= watchInterrupts(output)
    },
    close() {
      interrupts?.close()
    },
  }
}
