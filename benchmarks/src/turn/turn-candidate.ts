import type { Candidate } from '../measure.ts'
import type { Framework, Tally } from './framework.ts'
import { reply, type Scenario } from './scenario.ts'

/** Turns of a framework, after one that was checked already. */
export async function turnCandidate(
  { name, load }: Framework,
  scenario: Scenario,
  hooks: number,
): Promise<Candidate> {
  const tally: Tally = { toolRuns: 0, hookRuns: 0 }
  const prepare = await load()
  const agent = await prepare({ scenario, hooks, tally })
  let said = ''
  const expect = (what: string, expected: number, found: number) => {
    if (found === expected) return
    throw new Error(
      `${name}, ${scenario.key} with ${hooks} hooks: ${found} ${what}, not ${expected}.`,
    )
  }
  const candidate: Candidate = {
    name,
    async run(times) {
      for (let done = 0; done < times; done++) said = await agent.takeTurn()
    },
    check(times) {
      expect('tool calls', scenario.toolCalls * times, tally.toolRuns)
      expect('hook calls', agent.callsPerHook * hooks * times, tally.hookRuns)
      if (said !== reply) throw new Error(`${name} said "${said}".`)
      tally.toolRuns = 0
      tally.hookRuns = 0
      said = ''
    },
  }
  await candidate.run(1)
  candidate.check(1)
  return candidate
}
