import { defineHook, type Hook } from 'hookline'
import {
  compactionPost,
  type JsonObject,
  type LlmPostCallInput,
  llmPostCall,
  llmPreCall,
  sessionEnd,
  sessionStart,
  subagentStart,
  turnError,
  turnPostTurn,
  turnPreTurn,
} from 'hookline/lifecycle'
import { type EntryWriter, observing, some } from './entry-writer.ts'

/** Writes down sessions, turns, and who works for whom. */
export function observeTurns(name: string, writer: EntryWriter): Hook[] {
  const { write, decided, textOf, text } = writer
  return [
    defineHook({
      ...{ ...observing, name: `${name}:session-start`, on: sessionStart },
      run({ source, cwd }, context) {
        const details = { source, cwd, ...decided(context.decision) }
        return write('session.start', details, context)
      },
    }),
    defineHook({
      ...{ ...observing, name: `${name}:session-end`, on: sessionEnd },
      run: ({ reason }, context) => write('session.end', { reason }, context),
    }),
    defineHook({
      ...{ ...observing, name: `${name}:turn-start`, on: turnPreTurn },
      run({ content }, context) {
        const said = some('input', textOf(content))
        const details = { ...said, ...decided(context.decision) }
        return write('turn.start', details, context)
      },
    }),
    defineHook({
      ...{ ...observing, name: `${name}:turn-error`, on: turnError },
      run({ error: { code, message, hook } }, context) {
        const what = { code, message: text(message), ...some('hook', hook) }
        const details = { ...what, ...decided(context.decision) }
        return write('turn.error', details, context)
      },
    }),
    defineHook({
      ...{ ...observing, name: `${name}:turn-end`, on: turnPostTurn },
      run({ status, summary }, context) {
        const { steps, toolCount, usage, elapsedMs, cost } = summary
        const { errorPreview } = summary
        const error =
          errorPreview === undefined ? undefined : text(errorPreview)
        const about = { status, steps, toolCount, usage: { ...usage } }
        const details = {
          ...{
            ...about,
            elapsedMs,
            ...some('cost', cost),
            ...some('error', error),
          },
          ...some('reply', textOf(summary.replyPreview)),
        }
        return write('turn.end', details, context)
      },
    }),
    defineHook({
      ...{ ...observing, name: `${name}:subagent`, on: subagentStart },
      run({ child, task }, context) {
        const asked = { child, ...some('task', textOf(task)) }
        const details = { ...asked, ...decided(context.decision) }
        return write('subagent.start', details, context)
      },
    }),
  ]
}

/** Writes down calls of models, and when conversations were made shorter. */
export function observeModels(name: string, writer: EntryWriter): Hook[] {
  const { write, decided, textOf } = writer
  const endOf = (ended: LlmPostCallInput): JsonObject => {
    if (ended.type === 'error') return { error: ended.error.code }
    const { stopReason, usage, content } = ended.response
    const reply = some('reply', textOf(content))
    return { stopReason, usage: { ...usage }, ...reply }
  }
  return [
    defineHook({
      ...{ ...observing, name: `${name}:model-start`, on: llmPreCall },
      run({ request, attempt }, context) {
        const about = { model: request.model, attempt }
        const details = { ...about, ...decided(context.decision) }
        return write('model.start', details, context)
      },
    }),
    defineHook({
      ...{ ...observing, name: `${name}:model-end`, on: llmPostCall },
      run(ended, context) {
        const { request, attempt, elapsedMs } = ended
        const about = { model: request.model, attempt, elapsedMs }
        const details = { ...about, ...endOf(ended) }
        const judged = { ...details, ...decided(context.decision) }
        return write('model.end', judged, context)
      },
    }),
    defineHook({
      ...{ ...observing, name: `${name}:compaction`, on: compactionPost },
      run: ({ removedCount }, context) =>
        write('compaction.end', { removedCount }, context),
    }),
  ]
}
