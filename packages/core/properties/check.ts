import fc from 'fast-check'

export interface CheckOptions {
  readonly runs: number
  /** Ends early when this much time has passed; a tenth must be done by then. */
  readonly limitMs?: number
}

// Sources of this package know no platform; its tests run on Node.
const { env, stdout } = Object(globalThis).process as {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: { write(text: string): void }
}

/**
 * Checks a property with a new seed, or that of HOOKLINE_SEED, and says which.
 * A failure says how to see it again: its seed, and the path to its example.
 */
export async function check<T>(
  name: string,
  property: fc.IRawProperty<T>,
  { runs, limitMs }: CheckOptions,
): Promise<void> {
  const { HOOKLINE_SEED: given, HOOKLINE_PATH: path } = env
  const details = await fc.check(property, {
    numRuns: runs,
    seed: given === undefined ? newSeed() : Number(given),
    ...(path === undefined ? {} : { path }),
    // Without a limit, too few runs are a failure: that of the test's timeout.
    ...(limitMs === undefined
      ? {}
      : { plugins: [fc.interruptAfterTimeLimit(limitMs)] }),
  })
  const { numRuns, numSkips, seed, failed } = details
  const { counterexamplePath, errorInstance: cause } = details
  const skips = numSkips === 0 ? '' : ` (${numSkips} passed over)`
  stdout.write(`${name}: ${numRuns} runs${skips}, seed ${seed}\n`)
  if (!failed && path === undefined && numRuns * 10 < runs) {
    throw new Error(`${name}: only ${numRuns} of ${runs} runs in time`)
  }
  if (!failed) return
  const replay = `HOOKLINE_SEED=${seed} HOOKLINE_PATH=${counterexamplePath}`
  const report = await fc.asyncDefaultReportMessage(details)
  const message = `${name} does not hold; replay with ${replay}\n${report}`
  throw new Error(message, { cause })
}

/** A law over examples, each of which may take several turns of the loop. */
export function law<T>(
  examples: fc.Arbitrary<T>,
  holds: (example: T) => Promise<void>,
): fc.IAsyncProperty<[T]> {
  let count = 0
  return fc.asyncProperty(examples, async (example) => {
    // Lets timers and unhandled rejections of the process have their turn.
    if (++count % 250 === 0) await new Promise((next) => setTimeout(next, 0))
    await holds(example)
  })
}

/** Fails an example: what was found is not what had to be. */
export function agree(what: string, found: unknown, expected: unknown): void {
  const [is, must] = [show(found), show(expected)]
  if (is !== must) throw new Error(`${what}: ${is} instead of ${must}`)
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

function newSeed(): number {
  return Math.floor(Math.random() * 0x7fff_ffff)
}
