import {
  type Cell,
  defineCell,
  defineHook,
  proceed,
  type State,
  transform,
} from 'hookline'
import {
  compactionPost,
  compactionPre,
  llmPostCall,
  promptContext,
  toolPostBatch,
  turnPrePromptContext,
} from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  list,
  number,
  object,
  text,
} from '../define-hooks.ts'
import { ownCalls } from './shared/turns/own-calls.ts'
import { createWindow, type Window } from './shared/turns/window.ts'

export interface CompactionHintOptions {
  /** What a summary must keep, each in a sentence. */
  readonly keep?: readonly string[]
  /** How many of the newest messages stay as they are, at least. */
  readonly keepMessages?: number
  /** From this share of the window on, the model is told to write things down. */
  readonly warnAt?: number
  /** How many tokens the model can take. */
  readonly contextTokens?: number
  /** What the model is told then. */
  readonly hint?: string
}

const options = object<CompactionHintOptions>(
  {
    keep: described(
      list(text({ maxLength: 500 }), { max: 50 }),
      'What a summary must keep, each in a sentence.',
    ),
    keepMessages: described(
      number({ isWhole: true, min: 1, max: 1_000 }),
      'How many of the newest messages stay as they are, at least.',
    ),
    warnAt: described(
      number({ min: 0.05, max: 0.99 }),
      'From this share of the window on, the model is told, once; default: it is not.',
    ),
    contextTokens: described(
      number({ isWhole: true, min: 100, max: 100_000_000 }),
      'How many tokens the model can take; default: as the model says.',
    ),
    hint: described(
      text({ maxLength: 2_000 }),
      'What the model is told then; default: to write down what must not be lost.',
    ),
  },
  [],
)

const defaultHint =
  'Soon its oldest part will give way to a summary. Write down now what must not be lost: decisions, names, paths, values, and what is still open.'

/** Says what a compaction must keep, and warns the model before one comes. */
export const compactionHint = defineHooks<CompactionHintOptions>({
  name: 'compaction-hint',
  description:
    'Says what a compaction must keep, and warns the model before one.',
  options,
  create(given, { name }) {
    const { keep = [], keepMessages, warnAt, hint = defaultHint } = given
    const isInstructing = keep.length > 0 || keepMessages !== undefined
    const instructing = isInstructing ? [instruct(name, given)] : []
    if (warnAt === undefined) return instructing
    const window = createWindow(name, given.contextTokens)
    const warning = warningCell(name)
    return [
      ...instructing,
      ...window.hooks,
      countTokens(name, warning, { warnAt, window }),
      ...tellModel(name, warning, hint),
      forgetWarning(name, warning),
    ]
  },
})

const handler = { version: '1' }

/** Says what has to be in the summary, and what stays beside it. */
function instruct(
  name: string,
  { keep = [], keepMessages = 0 }: CompactionHintOptions,
) {
  return defineHook({
    name: `${name}:instruct`,
    on: compactionPre,
    handler,
    priority: 50,
    writes: true,
    // A veto in its place could end the turn.
    onFailure: 'open',
    run({ hint: before }) {
      const wanted = keep.map((one) => `- ${one}`).join('\n')
      const instructions = [
        ...(before.instructions === undefined ? [] : [before.instructions]),
        ...(keep.length > 0 ? [`Be sure to keep:\n${wanted}`] : []),
      ].join('\n\n')
      const kept = Math.max(keepMessages, before.keepMessages ?? 0)
      return transform({
        ...before,
        ...(instructions !== '' && { instructions }),
        ...(kept > 0 && { keepMessages: kept }),
      })
    },
  })
}

/** `due`: to be told at the next moment where something can be told. */
interface Warning {
  readonly state: 'none' | 'due' | 'told'
  readonly percent: number
}

function warningCell(name: string): Cell<Warning> {
  return defineCell<Warning>(`${name}:warning`, {
    initial: () => ({ state: 'none', percent: 0 }),
    scope: 'session',
  })
}

/** Has a warning due when a call has filled so much of the window. */
function countTokens(
  name: string,
  warning: Cell<Warning>,
  { warnAt, window }: { readonly warnAt: number; readonly window: Window },
) {
  return defineHook({
    name: `${name}:count`,
    on: llmPostCall,
    handler,
    priority: 900,
    // It only counts.
    beforeWrites: true,
    holdBack: 'none',
    onFailure: 'open',
    match: ownCalls,
    async run({ response }, { state }) {
      const tokens = await window.tokensNow(state)
      if (response === undefined || tokens === 0) return proceed
      const { inputTokens, outputTokens } = response.usage
      const share = (inputTokens + outputTokens) / tokens
      const before = await state.get(warning)
      const percent = Math.round(share * 100)
      if (share >= warnAt && before.state === 'none') {
        await state.update(warning, () => ({ state: 'due', percent }))
      }
      // Far below again, for example after old results were shortened.
      if (share < warnAt * 0.8 && before.state !== 'none') {
        await state.update(warning, () => ({ state: 'none', percent }))
      }
      return proceed
    },
  })
}

/** Gives the warning once it is due, within a turn or at the start of one. */
function tellModel(name: string, warning: Cell<Warning>, hint: string) {
  const take = async (state: State) => {
    const { state: due, percent } = await state.get(warning)
    if (due !== 'due') return []
    await state.update(warning, () => ({ state: 'told', percent }))
    const content = `This conversation fills ${percent} % of what you can take. ${hint}`
    return [promptContext({ id: 'room', domain: name, content, weight: 1 })]
  }
  const telling = { handler, capabilities: ['context'] }
  return [
    defineHook({
      ...telling,
      name: `${name}:tell-in-turn`,
      on: toolPostBatch,
      async run(_, { state, contribute }) {
        for (const entry of await take(state)) contribute(entry)
        return proceed
      },
    }),
    defineHook({
      ...telling,
      name: `${name}:tell-at-start`,
      on: turnPrePromptContext,
      async run(_, { state, contribute }) {
        for (const entry of await take(state)) contribute(entry)
        return proceed
      },
    }),
  ]
}

/** After a compaction there is room again. */
function forgetWarning(name: string, warning: Cell<Warning>) {
  return defineHook({
    name: `${name}:forget`,
    on: compactionPost,
    handler,
    async run(_, { state }) {
      await state.update(warning, () => ({ state: 'none', percent: 0 }))
      return proceed
    },
  })
}
