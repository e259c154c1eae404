import type { Caller } from './caller.ts'
import type { CallOptions, Client } from './client.ts'
import { ProtocolError } from './errors.ts'
import { operationSchemas } from './operations.ts'
import { type OperationName, type Route, routes } from './routes.ts'
import type { Service } from './service.ts'

type Call = (input: unknown, context: object) => unknown

/**
 * A daemon in this very process, as if it were elsewhere: inputs and rights are
 * checked as they would be there.
 */
export function createLocalClient(service: Service, caller: Caller): Client {
  const names = Object.keys(routes) as OperationName[]
  const calls = names.map((name) => {
    const route: Route = routes[name]
    // Each takes what its own schema lets through.
    const perform = service[name] as Call
    const ask = (input: unknown, signal: AbortSignal) => {
      checkRight(caller, route)
      return perform(readInput(name, input), { caller, signal })
    }
    const isStream = route.answer === 'events' || route.answer === 'lines'
    const call = (input: unknown = {}, options: CallOptions = {}) =>
      isStream
        ? iterate((signal) => ask(input, signal), options.signal)
        : askOnce((signal) => ask(input, signal), options.signal)
    return [name, call] as const
  })
  // One for each route, each with the types that its schemas give it.
  return { ...Object.fromEntries(calls), close: () => {} } as unknown as Client
}

function checkRight({ id, rights }: Caller, { right, path }: Route): void {
  const needsNone = right === 'anybody' || right === 'principal'
  if (needsNone || rights.has(right)) return
  const message = `"${id}" may not do this: ${path} needs the right "${right}".`
  throw new ProtocolError('not-allowed', message)
}

function readInput(name: OperationName, input: unknown): unknown {
  const { success, data, error } = operationSchemas[name].input.safeParse(input)
  if (success) return data
  const problems = error.issues.map(({ path, message }) => {
    return { path: path.join('.'), message }
  })
  const [first] = problems
  const message = `The input of ${name} is wrong: ${first?.path} ${first?.message}.`
  throw new ProtocolError('bad-request', message, { problems })
}

async function askOnce(
  ask: (signal: AbortSignal) => unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  return await ask(signal ?? new AbortController().signal)
}

/** Begins when it is first read, and ends when whoever reads stops. */
async function* iterate(
  ask: (signal: AbortSignal) => unknown,
  given: AbortSignal | undefined,
): AsyncGenerator<unknown> {
  const own = new AbortController()
  const stop = () => own.abort(given?.reason)
  if (given?.aborted) stop()
  given?.addEventListener('abort', stop, { once: true })
  try {
    // Its route says that it answers with many.
    yield* (await ask(own.signal)) as AsyncIterable<unknown>
  } finally {
    given?.removeEventListener('abort', stop)
    own.abort()
  }
}
