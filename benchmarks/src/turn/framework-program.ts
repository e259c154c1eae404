// One framework in a process of its own: what some of them switch on in a
// process, such as tracking of async work, slows down all that runs there.
import { timeOnce } from '../measure.ts'
import { allocatedPerTurn } from './allocation.ts'
import { frameworks } from './framework.ts'
import type { Order } from './remote-candidate.ts'
import { scenarios } from './scenario.ts'
import { turnCandidate } from './turn-candidate.ts'

const framework = frameworks.find(({ key }) => key === process.argv[2])
if (framework === undefined) throw new Error('It is not known.')

const prepared = new Map<string, ReturnType<typeof turnCandidate>>()

async function carryOut({ scenario: key, hooks, times }: Order) {
  const scenario = scenarios.find((one) => one.key === key)
  if (framework === undefined || scenario === undefined) return Number.NaN
  const name = `${key}/${hooks}`
  const candidate =
    prepared.get(name) ?? turnCandidate(framework, scenario, hooks)
  prepared.set(name, candidate)
  return times === 'allocated'
    ? await allocatedPerTurn(await candidate)
    : await timeOnce(await candidate, times)
}

process.on('message', (order) => {
  // Whoever started it sends nothing else; what fails ends the process.
  void carryOut(order as Order).then((figure) => process.send?.(figure))
})
