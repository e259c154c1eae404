import { createHash } from 'node:crypto'
import {
  compileCondition,
  defineCell,
  defineHook,
  endTurn,
  proceed,
} from 'hookline'
import {
  type EndedCall,
  promptContext,
  toolPostBatch,
} from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  flag,
  list,
  number,
  object,
  text,
} from '../define-hooks.ts'
import { AgentError, canonicalJson } from '../index.ts'

export interface LoopDetectorOptions {
  /** How often something has to come for the model to be warned; default 3. */
  readonly warnAt?: number
  /** How often for the turn to end; default 5. */
  readonly endAt?: number
  /** How many calls can be one round, as A B in A B A B; default 4. */
  readonly maxRound?: number
  /** Whether a call with another result is another call; default true. */
  readonly comparesResults?: boolean
  /** Names or patterns of tools that may be called again and again. */
  readonly ignore?: readonly string[]
}

const times = number({ isWhole: true, min: 2, max: 50 })

const options = object<LoopDetectorOptions>(
  {
    warnAt: described(
      times,
      'How often the same has to come for the model to be warned; default: 3.',
    ),
    endAt: described(
      times,
      'How often the same has to come for the turn to end; default: 5.',
    ),
    maxRound: described(
      number({ isWhole: true, min: 1, max: 10 }),
      'How many calls can be one round that is repeated, as A B in A B A B; default: 4.',
    ),
    comparesResults: described(
      flag,
      'Whether a call that gives another result is another call; default: true.',
    ),
    ignore: described(
      list(text({ maxLength: 128 }), { max: 100 }),
      'Names or patterns of tools that may be called again and again.',
    ),
  },
  [],
)

/** Marks of the calls of a turn. */
interface Calls {
  /** Which calls the latest ones are, by their ids. */
  readonly batch: string
  readonly past: readonly string[]
  readonly latest: readonly string[]
}

/** Tells a model that goes round in circles, and then ends the turn. */
export const loopDetector = defineHooks({
  name: 'loop-detector',
  description:
    'Warns a model that makes the same calls again and again, and then ends the turn.',
  options,
  create(given, { name }) {
    const { warnAt = 3, endAt = 5, maxRound = 4, ignore = [] } = given
    const { comparesResults = true } = given
    if (endAt < warnAt) {
      const message = `\`options.endAt\` is ${endAt}, but has to be at least \`warnAt\`, which is ${warnAt}.`
      throw new AgentError('invalid-config', message)
    }
    const isIgnored = compileCondition(ignore)
    const calls = defineCell<Calls>(name, {
      initial: () => ({ batch: '', past: [], latest: [] }),
      scope: 'turn',
    })
    const kept = maxRound * endAt
    const isCounted = ({ call }: EndedCall) =>
      ignore.length === 0 || !isIgnored(call.tool)
    const watch = defineHook({
      name: `${name}:steps`,
      on: toolPostBatch,
      handler: { version: '1' },
      capabilities: [promptContext.kind],
      async run({ results }, { state, contribute }) {
        const marks = results
          .filter(isCounted)
          .map((ended) => markOf(ended, comparesResults))
        if (marks.length === 0) return proceed
        const batch = digestOf(results.map(({ call }) => call.id))
        const { past, latest } = await state.update(calls, (before) => {
          // After a crash the same calls may be told of once more.
          const isAgain = before.batch === batch
          const all = isAgain ? before.past : [...before.past, ...before.latest]
          return { batch, past: all.slice(-kept), latest: marks.slice(-kept) }
        })
        const { round, count } = mostRepeated([...past, ...latest], maxRound)
        if (count < warnAt) return proceed
        const tools = results.filter(isCounted).map(({ call }) => call.tool)
        const what = roundText(tools.slice(-round), round)
        if (count >= endAt) {
          return endTurn(`${what} came ${count} times; the turn ended.`)
        }
        const content = `${what} came ${count} times with nothing new. Do something else, or say what is missing; after ${endAt} times the turn ends.`
        contribute(promptContext({ id: name, domain: 'loop', content }))
        return proceed
      },
    })
    return [watch]
  },
})

/** The same for the same call, and nothing that could be a secret. */
function markOf({ call, result }: EndedCall, comparesResults: boolean): string {
  const { tool, args } = call
  const { content, isError } = result
  const about = comparesResults ? [tool, args, isError, content] : [tool, args]
  return digestOf(about)
}

function digestOf(data: unknown): string {
  const hash = createHash('sha256').update(canonicalJson(data))
  return hash.digest('base64url').slice(0, 16)
}

interface Repeated {
  /** How many calls come again and again. */
  readonly round: number
  readonly count: number
}

/** What the newest calls repeat, and how often. */
export function mostRepeated(
  calls: readonly string[],
  maxRound: number,
): Repeated {
  let most: Repeated = { round: 1, count: calls.length === 0 ? 0 : 1 }
  for (let round = 1; round <= maxRound; round++) {
    const count = repeatsOf(calls, round)
    if (count > most.count) most = { round, count }
  }
  return most
}

function repeatsOf(calls: readonly string[], round: number): number {
  let same = 0
  for (let at = calls.length - 1 - round; at >= 0; at--) {
    if (calls[at] !== calls[at + round]) break
    same++
  }
  return calls.length < round ? 0 : 1 + Math.floor(same / round)
}

function roundText(tools: readonly string[], round: number): string {
  const names = [...new Set(tools)].map((tool) => `"${tool}"`).join(', ')
  return round === 1
    ? `The same call of ${names}`
    : `The same round of ${round} calls, ${names} among them,`
}
