import { exitCodes } from '../exit-codes.ts'

export interface Interrupts {
  /** As if somebody had pressed Ctrl-C. */
  interrupt(): void
  close(): void
}

/** The first Ctrl-C asks for an end, the second leaves at once. */
export function watchInterrupts({
  onFirst,
}: {
  readonly onFirst: () => void
}): Interrupts {
  let count = 0
  const interrupt = () => {
    if (++count === 1) onFirst()
    else process.exit(exitCodes.interrupted.code)
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return {
    interrupt,
    close() {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
    },
  }
}
