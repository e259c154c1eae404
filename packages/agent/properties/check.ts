import fc from 'fast-check'

export interface CheckOptions {
  readonly runs: number
  /** Ends early when this much time has passed; a tenth must be done by then. */
  readonly limitMs?: number
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
  const { env, stdout } = process
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

function newSeed(): number {
  return Math.floor(Math.random() * 0x7fff_ffff)
}
