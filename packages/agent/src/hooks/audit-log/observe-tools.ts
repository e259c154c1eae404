import { defineHook, type Hook } from 'hookline'
import {
  type AnsweredBy,
  permissionRequest,
  permissionResolved,
  toolGuard,
  toolPostCall,
  toolPreCall,
} from 'hookline/lifecycle'
import { type EntryWriter, observing, some } from './entry-writer.ts'

/** Writes down calls of tools, and who let them happen or did not. */
export function observeTools(name: string, writer: EntryWriter): Hook[] {
  const { write, decidedOfCall, argsOf, resultOf } = writer
  const judges = [toolPreCall, toolGuard].map((point) =>
    defineHook({
      ...{ ...observing, name: `${name}:${point.name}`, on: point },
      run({ id, tool, owner, safety, args }, context) {
        const { decision } = context
        // Who let it pass is said at the guard.
        if (point === toolPreCall && decision.type === 'proceed') return
        const about = { callId: id, tool, owner, safety }
        const details = { ...about, ...some('args', argsOf(args)) }
        const judged = { ...details, ...decidedOfCall(decision) }
        return write('tool.judged', judged, context)
      },
    }),
  )
  const end = defineHook({
    ...{ ...observing, name: `${name}:tool-end`, on: toolPostCall },
    run({ call, result, status, elapsedMs, seal }, context) {
      const about = { callId: call.id, tool: call.tool, status, elapsedMs }
      const { content, isError } = result
      const kind = isError ? { isError, error: result.error } : { isError }
      const details = {
        ...{ ...about, ...kind, ...some('seal', seal) },
        ...some('args', argsOf(call.args)),
        ...some('result', resultOf(content)),
        ...decidedOfCall(context.decision),
      }
      return write('tool.end', details, context)
    },
  })
  return [...judges, end]
}

/** Writes down what people were asked, and what they said. */
export function observeQuestions(name: string, writer: EntryWriter): Hook[] {
  const { write, text, argsOf } = writer
  const told = (by: AnsweredBy) =>
    by.kind === 'nobody' ? { ...by } : { ...by, name: text(by.name) }
  return [
    defineHook({
      ...{ ...observing, name: `${name}:asked`, on: permissionRequest },
      run({ id, call, questions }, context) {
        // A question may well have the arguments in it that it is about.
        const asked = questions.map(({ by, question }) => ({
          ...{ by, ...some('question', argsOf(text(question))) },
        }))
        const { seal, tool } = call
        const about = { questionId: id, callId: call.id, tool, seal, asked }
        return write('permission.asked', about, context)
      },
    }),
    defineHook({
      ...{ ...observing, name: `${name}:answered`, on: permissionResolved },
      run({ id, call, decision, by }, context) {
        const about = { questionId: id, callId: call.id, tool: call.tool }
        const { seal } = call
        const answer = { seal, decision: decision.type, by: told(by) }
        return write('permission.answered', { ...about, ...answer }, context)
      },
    }),
  ]
}
