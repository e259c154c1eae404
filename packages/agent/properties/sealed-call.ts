import fc from 'fast-check'
import type { Message } from 'hookline/lifecycle'
import { anyCase, type Case, type HookSpec } from './sealed-case.ts'
import { nameOf, witness } from './sealed-hooks.ts'
import { playTurn } from './sealed-turn.ts'
import { type Judged, type Noted, read, type World } from './sealed-world.ts'

/** How often the law was about something, and not merely true. */
export interface Reach {
  executed: number
  rewritten: number
  refused: number
  asked: number
  byHooks: number
  swapped: number
}

export function createReach(): Reach {
  const none = { executed: 0, rewritten: 0, refused: 0 }
  return { ...none, asked: 0, byHooks: 0, swapped: 0 }
}

/** What runs is what every gate has seen last and let pass, and only that. */
export function sealedCall(reach: Reach): fc.IAsyncProperty<[Case]> {
  let count = 0
  return fc.asyncProperty(anyCase, async (example) => {
    // Lets timers and unhandled rejections of the process have their turn.
    if (++count % 100 === 0) await new Promise((next) => setTimeout(next, 0))
    const { world, messages } = await playTurn(example)
    const faults = [
      ...world.faults,
      ...world.ran.flatMap((ran) => faultsOf(ran, world, example)),
      ...historyFaults(world, messages),
    ]
    if (faults.length > 0) throw new Error(faults.join('\n'))
    noteReach(reach, world)
  })
}

function faultsOf(ran: Noted, world: World, example: Case): string[] {
  const { call, args, seal } = ran
  const faults: string[] = []
  const demand = (holds: boolean, fault: string) => {
    if (!holds) faults.push(`${call} ran with ${args}: ${fault}`)
  }
  const ofCall = ({ call: other }: { readonly call: string }) => other === call
  const judged = world.judged.filter(ofCall)
  const granted = world.granted.filter(ofCall)
  demand(world.ran.filter(ofCall).length === 1, 'it ran more than once')
  const record = world.sealed.findLast(ofCall)
  demand(record?.args === args, `the record says ${record?.args}`)
  demand(record?.seal === seal, 'the record has another seal')
  demand(
    granted.every(({ decision }) => decision !== 'deny'),
    'policy denies it',
  )
  demand(granted.at(-1)?.args === args, 'policy has seen something else')
  const generations = new Set(judged.map(({ generation }) => generation))
  demand(generations.size === 1, 'it has seen more than one table')
  const [generation = 0] = generations
  const specs = specsOf(example, generation)
  const isCounted = ({ hook }: Judged) => specs.get(hook)?.mode === 'enforce'
  const counted = judged.filter(isCounted)
  demand(
    counted.every(({ answer }) => answer !== 'reject'),
    'a gate has rejected it',
  )
  const isAsked =
    counted.some(({ answer }) => answer === 'ask') ||
    granted.some(({ decision }) => decision === 'ask')
  const isAllowed = world.allowed.some(
    (one) => one.seal === seal && one.args === args,
  )
  demand(!isAsked || isAllowed, 'nobody has agreed to it')
  for (const [name, spec] of specs) {
    if (spec.mode === 'evaluate' || world.callers.get(call) === name) continue
    const seen = counted.filter(({ hook }) => hook === name)
    const fault = gateFault(spec, seen, ran, counted)
    demand(fault === undefined, `${name} ${fault}`)
  }
  return faults
}

/** Why a gate has not let just this pass. */
function gateFault(
  spec: HookSpec,
  seen: readonly Judged[],
  { args }: Noted,
  all: readonly Judged[],
): string | undefined {
  const isItsOwn =
    spec.onlyX === undefined || Object(JSON.parse(args)).x === spec.onlyX
  if (!isItsOwn) return undefined
  const last = seen.at(-1)
  if (spec.at === 'guard') {
    if (last === undefined) return 'was not asked'
    return last.args === args ? undefined : `judged ${last.args}`
  }
  // A replace leaves out the hooks after it.
  const isSkipped = all.some(({ answer }) => answer === 'replace')
  if (last === undefined) return isSkipped ? undefined : 'was not asked'
  const hasPassed = seen.some(
    ({ answer }) => answer === 'pass' || answer === 'ask',
  )
  if (!hasPassed || last.args === args) return undefined
  return `let ${last.args} pass`
}

function specsOf(
  { hooks, others }: Case,
  generation: number,
): ReadonlyMap<string, HookSpec> {
  const specs = generation === 0 ? hooks : others
  return new Map([
    [`g${generation}-w`, witness],
    ...specs.map((spec, index) => [nameOf(generation, index), spec] as const),
  ])
}

/** The history shows the arguments that ran. */
function historyFaults(
  world: World,
  messages: readonly Message[],
): readonly string[] {
  const blocks = messages.flatMap(({ role, content }) =>
    role === 'assistant' ? [...content] : [],
  )
  return blocks.flatMap((block) => {
    if (block.type !== 'tool_call') return []
    const ran = world.ran.find(({ call }) => call === block.id)
    const shown = read(block.args)
    if (ran === undefined || ran.args === shown) return []
    return [`${block.id} ran with ${ran.args}, and history shows ${shown}`]
  })
}

function noteReach(reach: Reach, world: World): void {
  const { ran, judged, allowed, callers } = world
  const wrote = judged.filter(({ answer }) => answer === 'write')
  const isOf = (list: readonly Judged[]) =>
    ran.some(({ call }) => list.some((one) => one.call === call))
  if (ran.length > 0) reach.executed++
  if (isOf(wrote)) reach.rewritten++
  if (judged.some(({ answer }) => answer === 'reject')) reach.refused++
  if (ran.some(({ seal }) => allowed.some((one) => one.seal === seal))) {
    reach.asked++
  }
  if (ran.some(({ call }) => callers.has(call))) reach.byHooks++
  if (world.generation > 0 && ran.length > 0) reach.swapped++
}
