import type { Clock } from 'hookline'
import type { JsonObject } from 'hookline/lifecycle'
import type { ArgsSpec } from './sealed-case.ts'

/** What a hook was shown of a call, and what it said in time. */
export interface Judged {
  readonly call: string
  readonly hook: string
  readonly at: 'pre' | 'guard'
  readonly generation: number
  readonly args: string
  answer: 'pass' | 'reject' | 'ask' | 'write' | 'replace' | 'other' | 'none'
}

export interface Granted {
  readonly call: string
  readonly args: string
  readonly decision: 'allow' | 'ask' | 'deny'
}

/** A call that a person has agreed to, or that was recorded, or that ran. */
export interface Noted {
  readonly call: string
  readonly args: string
  readonly seal: string
}

/** All that happens in one turn, and those who would like it to be otherwise. */
export class World {
  readonly judged: Judged[] = []
  readonly granted: Granted[] = []
  readonly allowed: Noted[] = []
  readonly sealed: Noted[] = []
  readonly ran: Noted[] = []
  /** The hooks that calls were made by, and the one that makes one now. */
  readonly callers = new Map<string, string>()
  calling: string | undefined
  /** What was found while it happened. */
  readonly faults: string[] = []
  readonly clock: Clock
  generation = 0
  readonly #kept: { readonly object: object; readonly x: number }[] = []
  #meddled = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Keeps an object, to change it whenever there is an opportunity. */
  keep(object: object, x: number): void {
    this.#kept.push({ object, x })
  }

  /** Changes everything that was kept, or changes it back. */
  meddle(): void {
    this.#meddled++
    for (const { object, x } of this.#kept) {
      Reflect.set(object, 'x', this.#meddled % 2 === 0 ? x : 99)
    }
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.after(ms, resolve)
    })
  }

  /** Arguments in the shape that they are handed over in. */
  argsOf({ x, shape }: ArgsSpec): JsonObject {
    const deep = { x }
    const args = { x, deep }
    switch (shape) {
      case 'plain':
        return args
      case 'shared':
        this.keep(args, x)
        this.keep(deep, x)
        return args
      case 'half-frozen':
        this.keep(deep, x)
        return Object.freeze(args)
      case 'getter': {
        let reads = 0
        const get = () => (++reads % 2 === 0 ? x : 99)
        const twofold = { enumerable: true, configurable: true, get }
        return { x, deep: Object.defineProperty({}, 'x', twofold) }
      }
      case 'proxy': {
        let reads = 0
        return new Proxy(args, {
          get: (target, key) =>
            key === 'x' && ++reads % 2 === 0 ? 99 : Reflect.get(target, key),
        })
      }
    }
  }
}

/** What somebody sees who reads it now. */
export function read(args: JsonObject): string {
  const text = JSON.stringify(args, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value,
  )
  return text
}
