import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { endLogin, type Login, shareLogin, tellEnd } from '../data/access.ts'
import { Connection } from '../data/connection.ts'
import { type DaemonContext, daemonContext } from '../data/daemon-context.ts'
import { startLiveUpdates } from '../data/live/live-updates.ts'
import { watchEvents } from '../data/live/watch-events.ts'
import { openClient } from '../data/open-client.ts'
import { createQueries } from '../data/query-client.ts'

interface DaemonProviderProps {
  readonly login: Login
  readonly onSignedOut: (reason?: string) => void
  readonly children: ReactNode
}

const ended =
  'You are no longer signed in: the daemon was started again, or nobody was here for twelve hours.'

/** The daemon for all that is drawn: its client, its answers, what happens. */
export function DaemonProvider({
  login,
  onSignedOut,
  children,
}: DaemonProviderProps) {
  const { token } = login
  // biome-ignore lint/correctness/useExhaustiveDependencies: one for each token, and no more.
  const parts = useMemo(() => {
    const connection = new Connection()
    const client = openClient({ token, connection })
    const onLost = () => onSignedOut(ended)
    const queries = createQueries(onLost)
    const signOut = () => {
      endLogin(login)
      tellEnd(token)
      onSignedOut()
    }
    const onEnd = () => onSignedOut()
    const watch: DaemonContext['watch'] = (options) =>
      watchEvents({ token, client, ...options })
    return { connection, client, watch, queries, signOut, onLost, onEnd }
  }, [token])
  useEffect(() => {
    return startLiveUpdates({ ...parts, onSignedOut: parts.onLost })
  }, [parts])
  useEffect(() => shareLogin(login, () => parts.onEnd()), [login, parts])
  return (
    <QueryClientProvider client={parts.queries}>
      <daemonContext.Provider value={parts}>{children}</daemonContext.Provider>
    </QueryClientProvider>
  )
}
