import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Timed } from '../measure.ts'
import type { Framework } from './framework.ts'
import type { Scenario } from './scenario.ts'

/** What the process of a framework is told to do. */
export interface Order {
  readonly scenario: Scenario['key']
  readonly hooks: number
  /** How often a turn is taken and timed, or what one allocates. */
  readonly times: number | 'allocated'
}

/** Turns of a framework in another process, one order after the other. */
interface RemoteCandidate extends Timed {
  allocated(): Promise<number>
}

export interface RemoteFramework extends Disposable {
  candidate(scenario: Scenario, hooks: number): RemoteCandidate
}

export function startFramework({ key, name }: Framework): RemoteFramework {
  const program = new URL('./framework-program.ts', import.meta.url).pathname
  const child = fork(program, [key])
  return {
    candidate({ key: scenario }, hooks) {
      const ask = (times: Order['times']) =>
        carryOut(child, { scenario, hooks, times })
      return {
        name,
        time: (times) => ask(times),
        allocated: () => ask('allocated'),
      }
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}

async function carryOut(child: ChildProcess, order: Order): Promise<number> {
  const waiting = new AbortController()
  const { signal } = waiting
  const died = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`The process of a framework ended with ${code}.`)
  })
  child.send(order)
  try {
    const [figure] = await Promise.race([
      once(child, 'message', { signal }),
      died,
    ])
    return Number(figure)
  } finally {
    died.catch(() => {})
    waiting.abort()
  }
}
