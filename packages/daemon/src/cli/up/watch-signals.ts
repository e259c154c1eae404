export interface SignalActions {
  /** The first time: what runs may end. */
  readonly onEnd: () => void
  /** The second time. */
  readonly onKill: () => void
  readonly onReload: () => void
}

/** What signals mean to a daemon. A reader that is gone means nothing. */
export function watchSignals({ onEnd, onKill, onReload }: SignalActions): {
  close(): void
} {
  let count = 0
  const onStop = () => {
    if (++count === 1) onEnd()
    else onKill()
  }
  const nothing = () => {}
  const listeners = [
    ['SIGINT', onStop],
    ['SIGTERM', onStop],
    ['SIGHUP', onReload],
    ['SIGPIPE', nothing],
  ] as const
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return {
    close() {
      for (const [signal, listener] of listeners) process.off(signal, listener)
    },
  }
}
