import type { Client } from '../protocol/client.ts'
import type { GivenOptions } from './given-options.ts'
import type { Output } from './output/output.ts'

/** What a command works with. */
export interface CommandContext {
  readonly args: readonly string[]
  readonly options: GivenOptions
  readonly output: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** To the daemon that runs; throws where there is none. */
  readonly connect: () => Promise<Client>
}
