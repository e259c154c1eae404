import { defineCell, defineHook, proceed, type State, truncate } from 'hookline'
import {
  type AgentScope,
  turnPostTurn,
  turnPrePolicy,
  type UserContent,
} from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import type { AnyContext } from '../../index.ts'
import { type TitleOptions, titleShape } from './options.ts'
import { readTitle, titleRequest } from './read-title.ts'

/** How far a session has come with its title. */
interface Progress {
  /** The last turn that was heard of; 0: none. */
  readonly heard: number
  /** What the user said: first, and lately. */
  readonly said: readonly string[]
  /** The turn in which a title was last asked for, and by which run. */
  readonly asked: number
  readonly by: string
  /** Until when that run may still get one, in wall-clock milliseconds. */
  readonly until: number
  /** How often it was asked for in vain since the last one. */
  readonly tries: number
  /** The turn in which one was last given; 0: in none. */
  readonly given: number
}

interface Moment {
  readonly context: AnyContext
  readonly scope: AgentScope
  readonly state: State
  readonly model: string
  readonly text: string
}

const maxSaidPoints = 2_000
const maxLaterPoints = 500
const maxLater = 4
// A model that cannot do it is not asked in every turn for good.
const maxTries = 3

/** Asks a model what a session is about, while nobody waits for it. */
export const title = defineHooks<TitleOptions>({
  name: 'title',
  description: 'Has a model give sessions a title, while nobody waits for it.',
  options: titleShape,
  create(given, host) {
    const { name } = host
    const { everyTurns = Infinity, timeoutMs = 30_000 } = given
    const progress = defineCell<Progress>(name, {
      initial: () => ({
        ...{ heard: 0, said: [], asked: 0, by: '' },
        ...{ until: 0, tries: 0, given: 0 },
      }),
      scope: 'session',
    })
    const isSettled = (session: Progress) =>
      session.given > 0 && everyTurns === Infinity

    const nowMs = () => host.clock.wallAt(host.clock.now())

    /** What to ask with, if it is for this run to ask. */
    const claim = async ({ context: { run }, state, scope, text }: Moment) => {
      const { turn = 0 } = scope
      if (isSettled(await state.get(progress))) return undefined
      const at = nowMs()
      const now = await state.update(progress, (before) => {
        if (before.asked === turn) return before
        const said =
          before.heard === turn ? before.said : withText(before.said, text)
        const heard = { ...before, heard: turn, said }
        const isLong = turn - before.asked >= everyTurns
        const mayAsk = before.tries < maxTries || isLong
        const isWanted = before.given === 0 || turn - before.given >= everyTurns
        const isAsking = before.until > at
        if (!isWanted || !mayAsk || isAsking || said.length === 0) return heard
        const asking = { asked: turn, by: run, until: at + timeoutMs }
        return { ...heard, ...asking, tries: before.tries + 1 }
      })
      return now.asked === turn && now.by === run ? now.said : undefined
    }

    const attempt = async (moment: Moment) => {
      const { context, scope, state } = moment
      if (!host.keepsTitles()) return
      const said = await claim(moment)
      if (said === undefined) return
      const { instructions, model = moment.model } = given
      const request = titleRequest({ model, said, instructions })
      const { text, problem } = await host
        .callModel(context, request)
        .then(readTitle, () => ({
          problem: 'The model could not be asked.',
          text: undefined,
        }))
      if (problem !== undefined) {
        context.diagnose('no-title', problem)
        await state.update(progress, (before) => ({ ...before, until: 0 }))
        return
      }
      await host.titleSession(context, text)
      await state.update(progress, (before) => ({
        ...before,
        // What nobody will ask with again is not kept.
        said: everyTurns === Infinity ? [] : before.said,
        until: 0,
        tries: 0,
        given: scope.turn ?? 0,
      }))
    }

    /** Whatever goes wrong, the session is called what it was before. */
    const safely = async (moment: Moment) => {
      try {
        await attempt(moment)
      } catch {
        moment.context.diagnose('no-title', 'No title could be asked for.')
      }
    }

    const beside = defineHook({
      name: `${name}:beside`,
      on: turnPrePolicy,
      // It runs while the turn does, which does not wait for it.
      execution: 'record',
      handler: { version: '1' },
      timeoutMs,
      match: (_, scope) => isTitled(scope),
      async run({ content, model }, context) {
        const { scope, state } = context
        await safely({ context, scope, state, model, text: textOf(content) })
      },
    })
    const after = defineHook({
      name: `${name}:after`,
      on: turnPostTurn,
      handler: { version: '1' },
      timeoutMs,
      // A turn can be over before anything beside it has begun.
      match: ({ status }, scope) => status === 'succeeded' && isTitled(scope),
      async run({ summary: { model, userPreview: text } }, context) {
        const { scope, state } = context
        await safely({ context, scope, state, model, text })
        return proceed
      },
    })
    return [beside, after]
  },
})

/** Sessions of people; what works for others is named by its task. */
function isTitled({ origin, parents, sessionId }: AgentScope): boolean {
  return origin === 'user' && parents === undefined && sessionId !== undefined
}

/** What came first stays; of the rest, the newest. */
function withText(said: readonly string[], text: string): readonly string[] {
  const isFirst = said.length === 0
  const points = isFirst ? maxSaidPoints : maxLaterPoints
  const words = truncate(text.trim(), points).text
  if (words === '') return said
  const [first = words, ...later] = said
  if (isFirst) return [words]
  return [first, ...[...later, words].slice(-maxLater)]
}

function textOf(content: UserContent): string {
  return content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
}
