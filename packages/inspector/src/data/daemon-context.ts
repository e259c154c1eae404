import type { Client, OperationName } from '@hookline/daemon/client'
import {
  keepPreviousData,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Connection, ConnectionView } from './connection.ts'
import type { WatchOptions } from './live/watch-events.ts'
import type { InputOf, OutputOf, StreamItem } from './protocol.ts'

/** The daemon, for whatever is drawn. */
export interface DaemonContext {
  readonly client: Client
  readonly connection: Connection
  /** What happened and happens; streams are followed by `followFeed`. */
  readonly watch: (
    options: Omit<WatchOptions, 'token' | 'client'>,
  ) => AsyncIterable<StreamItem>
  readonly signOut: () => void
}

export const daemonContext = createContext<DaemonContext | undefined>(undefined)

export function useDaemon(): DaemonContext {
  const found = useContext(daemonContext)
  if (found === undefined) throw new Error('There is no daemon around this.')
  return found
}

export function useConnection(): ConnectionView {
  const { connection } = useDaemon()
  return useSyncExternalStore(connection.subscribe, connection.current)
}

/** What is asked and answered once. */
export type AskedName = Exclude<
  OperationName,
  'watchAll' | 'watchSession' | 'exportSession'
>

interface AnswerOptions {
  readonly isWanted?: boolean
  /** What was there stays until the new answer is: for lists and filters. */
  readonly keepPrevious?: boolean
  readonly refreshMs?: number
}

/** The answer of an operation, kept true by what happens. */
export function useAnswer<Name extends AskedName>(
  name: Name,
  input: InputOf<Name>,
  { isWanted = true, keepPrevious = false, refreshMs }: AnswerOptions = {},
): UseQueryResult<OutputOf<Name>> {
  const { client } = useDaemon()
  return useQuery({
    queryKey: [name, input],
    queryFn: ({ signal }) => ask(client, { name, input, signal }),
    enabled: isWanted,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
  })
}

/** Has everything that is shown asked for again: after a change of many things. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries()
}

interface Asked<Name extends AskedName> {
  readonly name: Name
  readonly input: InputOf<Name>
  readonly signal: AbortSignal
}

/** One function for all of them, with the types of each. */
export function ask<Name extends AskedName>(
  client: Client,
  { name, input, signal }: Asked<Name>,
): Promise<OutputOf<Name>> {
  // Each takes the input of its own name, which is the one that was given.
  const call = client[name] as (
    input: InputOf<Name>,
    options: { signal: AbortSignal },
  ) => Promise<OutputOf<Name>>
  return call(input, { signal })
}
