import { defineCell, defineHook, proceed, type State } from 'hookline'
import {
  type AgentScope,
  promptContext,
  sessionEnd,
  turnPostTurn,
  turnPrePromptContext,
} from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import type { AnyContext } from '../../index.ts'
import { stableDigest } from '../shared/rules/stable-digest.ts'
import {
  type Book,
  changeNote,
  lastNote,
  type NotePlace,
  noteIn,
  type SessionNote,
  withText,
  withTurn,
} from './book.ts'
import { type SummaryOptions, summaryShape } from './options.ts'
import { readSummary, summaryRequest, toldText, turnLine } from './words.ts'

const dayMs = 86_400_000

/** Tells a session what the last one was about. */
export const summary = defineHooks<SummaryOptions>({
  name: 'summary',
  description:
    'Has a model sum up sessions, and tells the next one what the last was about.',
  options: summaryShape,
  create(given, { name, clock, callModel }) {
    const { everyTurns = 5, atEnd = true, per = 'folder' } = given
    const { maxChars = 1_500, maxAgeDays = 30 } = given
    const { timeoutMs = 30_000 } = given
    const handler = { version: '1' }
    const now = () => Math.floor(clock.wallAt(clock.now()))

    /** Which page is whose: what one person said is not told to another. */
    const keyOf = ({ agent, actor, cwd = '' }: AgentScope) =>
      stableDigest([
        agent,
        actor === undefined ? '' : `${actor.kind} ${actor.id}`,
        per === 'folder' ? cwd : '',
      ])
    const placeOf = (key: string, { sessionId = '' }: AgentScope) => {
      const oldest = now() - maxAgeDays * dayMs
      return { key, session: sessionId, oldest }
    }
    // An agent's own cells go when it leaves, at the latest with its process.
    // There is room for a thousand that stay, which are not ours alone.
    const bookOf = (key: string) =>
      defineCell<Book>(`${name}:book:${key.slice(0, 1)}`, {
        initial: () => [],
        maxChars: 1_000_000,
      })
    const home = defineCell(`${name}:home`, {
      initial: () => '',
      scope: 'session',
    })
    const change = (
      state: State,
      place: NotePlace,
      make: (note: SessionNote | undefined) => SessionNote | undefined,
    ) =>
      state.update(bookOf(place.key), (book) => changeNote(book, place, make))

    /** Whatever goes wrong, what was known before stays. */
    const sumUp = async (
      note: SessionNote,
      place: NotePlace,
      context: AnyContext,
    ) => {
      const { model = note.model } = given
      const upTo = note.open.at(-1)?.turn ?? note.upTo
      const request = summaryRequest(note, model, maxChars)
      const { text, problem } = await callModel(context, request).then(
        (response) => readSummary(response, maxChars),
        () => ({ problem: 'The model could not be asked.', text: undefined }),
      )
      if (problem === undefined) {
        await change(context.state, place, (one) => withText(one, text, upTo))
      } else context.diagnose('no-summary', problem)
    }

    const note = defineHook({
      name: `${name}:note`,
      on: turnPostTurn,
      handler,
      timeoutMs: timeoutMs + 5_000,
      // Of what was refused, nothing is in the conversation.
      match: ({ status }, scope) => status !== 'rejected' && isOfUser(scope),
      async run({ summary: ended }, context) {
        const { scope, state } = context
        const { turn = 0, sessionId: session = '' } = scope
        const place = placeOf(keyOf(scope), scope)
        if ((await state.get(home)) !== place.key) {
          await state.update(home, () => place.key)
        }
        const { model, userPreview, replyPreview } = ended
        const line = turnLine(turn, userPreview, replyPreview)
        const about = { session, model, at: now() }
        const book = await change(state, place, (before) => {
          const made = withTurn(before, line, about)
          if (turn - made.tried < everyTurns) return made
          return { ...made, tried: turn, triedBy: context.run }
        })
        const made = noteIn(book, place)
        if (made?.triedBy === context.run) await sumUp(made, place, context)
        return proceed
      },
    })

    const end = defineHook({
      name: `${name}:end`,
      on: sessionEnd,
      handler,
      timeoutMs: timeoutMs + 5_000,
      match: (_, scope) => isOfUser(scope),
      async run({ reason }, context) {
        const { scope, state } = context
        // On whose behalf it was is not said at the end.
        const key = await state.get(home)
        if (key === '') return proceed
        const place = placeOf(key, scope)
        if (reason === 'deleted') {
          await change(state, place, () => undefined)
          return proceed
        }
        const known = noteIn(await state.get(bookOf(key)), place)
        const isOpen = known !== undefined && known.open.length > 0
        if (atEnd && isOpen) await sumUp(known, place, context)
        return proceed
      },
    })

    const recall = defineHook({
      name: `${name}:recall`,
      on: turnPrePromptContext,
      handler,
      capabilities: ['context'],
      // Until somebody has answered, it is the first turn.
      match: ({ history }, scope) =>
        isOfUser(scope) && !history.some(({ role }) => role === 'assistant'),
      async run(_, { scope, state, contribute }) {
        const place = placeOf(keyOf(scope), scope)
        const last = lastNote(await state.get(bookOf(place.key)), place)
        if (last === undefined) return proceed
        const content = toldText(last)
        const sources = [`session:${last.session}`]
        const entry = { id: 'last-session', domain: name, content, sources }
        contribute(promptContext({ ...entry, isDurable: true }))
        return proceed
      },
    })
    return [note, end, recall]
  },
})

/** What works for others is part of what they do. */
function isOfUser({ parents, sessionId }: AgentScope): boolean {
  return parents === undefined && sessionId !== undefined
}
