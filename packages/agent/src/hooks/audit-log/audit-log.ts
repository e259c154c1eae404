import { resolve } from 'node:path'
import { type Decision, defineHook, type Hook, proceed, reject } from 'hookline'
import {
  type AgentScope,
  audit,
  compactionPost,
  type JsonObject,
  type JsonValue,
  llmPostCall,
  llmPreCall,
  permissionRequest,
  permissionResolved,
  sessionEnd,
  sessionStart,
  subagentStart,
  toolGuard,
  toolPostCall,
  toolPreCall,
  turnPostTurn,
  turnPreTurn,
} from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import { createContent } from './content.ts'
import { createLogFile } from './log-file.ts'
import { auditLogOptions } from './options.ts'

export type { AuditContent, AuditLogOptions } from './options.ts'

/** Who did what, and who let it happen. */
export const auditLog = defineHooks({
  name: 'audit-log',
  description:
    'Writes down what agents do and who decided it, as lines of a file and in the audit log of the store.',
  options: auditLogOptions,
  create(options, { name, folder, clock }) {
    const { file: given, store = true, onFailure = 'report' } = options
    const { maxBytes = 10_000_000, maxFiles = 5, syncs = false } = options
    const file = given === undefined ? undefined : resolve(folder, given)
    const log =
      file === undefined
        ? undefined
        : createLogFile({ file, maxBytes, maxFiles, syncs })
    const { keepBy, text } = createContent()
    const argsOf = keepBy(options.args ?? 'redacted')
    const resultOf = keepBy(options.results ?? 'redacted')
    const textOf = keepBy(options.texts ?? 'none')

    const lineOf = (event: string, scope: AgentScope, details: JsonObject) => {
      const at = new Date(clock.wallAt(clock.now())).toISOString()
      return JSON.stringify({ at, event, ...placeOf(scope), ...details })
    }
    const decided = ({ type, by, reason }: Decision): JsonObject => ({
      decision: type,
      ...(by !== undefined && { by }),
      ...(reason !== undefined && { reason: text(reason) }),
    })

    const write = async (
      event: string,
      details: JsonObject,
      { scope, contribute, diagnose }: Writing,
    ): Promise<void> => {
      if (store) contribute(audit({ event, details }))
      try {
        await log?.append(lineOf(event, scope, details))
      } catch (error) {
        const { code = 'unknown' } = Object(error)
        const message = `The entry "${event}" was not written (${String(code)}).`
        diagnose('audit.lost', message)
      }
    }
    const common = {
      handler: { version: '1' },
      execution: 'record',
      capabilities: [audit.kind],
    } as const
    const some = (key: string, value: JsonValue | undefined): JsonObject =>
      value === undefined ? {} : { [key]: value }

    const observers = [
      defineHook({
        ...{ ...common, name: `${name}:session-start`, on: sessionStart },
        run: ({ source, cwd }, context) =>
          write(
            'session.start',
            { source, cwd, ...decided(context.decision) },
            context,
          ),
      }),
      defineHook({
        ...{ ...common, name: `${name}:session-end`, on: sessionEnd },
        run: ({ reason }, context) => write('session.end', { reason }, context),
      }),
      defineHook({
        ...{ ...common, name: `${name}:turn-start`, on: turnPreTurn },
        run: ({ content }, context) =>
          write(
            'turn.start',
            { ...some('input', textOf(content)), ...decided(context.decision) },
            context,
          ),
      }),
      defineHook({
        ...{ ...common, name: `${name}:model-start`, on: llmPreCall },
        run: ({ request, attempt }, context) =>
          write(
            'model.start',
            { model: request.model, attempt, ...decided(context.decision) },
            context,
          ),
      }),
      defineHook({
        ...{ ...common, name: `${name}:model-end`, on: llmPostCall },
        run(input, context) {
          const { request, attempt, elapsedMs } = input
          const about = { model: request.model, attempt, elapsedMs }
          const result: JsonObject =
            input.type === 'error'
              ? { error: input.error.code }
              : {
                  stopReason: input.response.stopReason,
                  usage: { ...input.response.usage },
                  ...some('reply', textOf(input.response.content)),
                }
          const details = { ...about, ...result, ...decided(context.decision) }
          return write('model.end', details, context)
        },
      }),
      ...[toolPreCall, toolGuard].map((point) =>
        defineHook({
          ...{ ...common, name: `${name}:${point.name}`, on: point },
          run({ id, tool, owner, safety, args }, context) {
            const { decision } = context
            // Who let it pass is said at the guard.
            if (point === toolPreCall && decision.type === 'proceed') return
            const about = { callId: id, tool, owner, safety }
            const details = { ...about, ...some('args', argsOf(args)) }
            const judged = { ...details, ...decided(decision) }
            return write('tool.judged', judged, context)
          },
        }),
      ),
      defineHook({
        ...{ ...common, name: `${name}:tool-end`, on: toolPostCall },
        run({ call, result, status, elapsedMs, seal }, context) {
          const about = { callId: call.id, tool: call.tool, status, elapsedMs }
          const { content, isError } = result
          return write(
            'tool.end',
            {
              ...{ ...about, isError, ...(seal !== undefined && { seal }) },
              ...some('args', argsOf(call.args)),
              ...some('result', resultOf(content)),
              ...decided(context.decision),
            },
            context,
          )
        },
      }),
      defineHook({
        ...{ ...common, name: `${name}:asked`, on: permissionRequest },
        run({ id, call, questions }, context) {
          const asked = questions.map((one) => ({
            by: one.by,
            question: text(one.question),
          }))
          const { seal, tool } = call
          const about = { questionId: id, callId: call.id, tool, seal, asked }
          return write('permission.asked', about, context)
        },
      }),
      defineHook({
        ...{ ...common, name: `${name}:answered`, on: permissionResolved },
        run({ id, call, decision, by }, context) {
          const about = { questionId: id, callId: call.id, tool: call.tool }
          const { seal } = call
          const answer = { seal, decision: decision.type, by: text(by) }
          return write('permission.answered', { ...about, ...answer }, context)
        },
      }),
      defineHook({
        ...{ ...common, name: `${name}:compaction`, on: compactionPost },
        run: ({ removedCount }, context) =>
          write('compaction.end', { removedCount }, context),
      }),
      defineHook({
        ...{ ...common, name: `${name}:subagent`, on: subagentStart },
        run: ({ child, task }, context) =>
          write(
            'subagent.start',
            {
              ...{ child, ...some('task', textOf(task)) },
              ...decided(context.decision),
            },
            context,
          ),
      }),
      defineHook({
        ...{ ...common, name: `${name}:turn-end`, on: turnPostTurn },
        run({ status, summary }, context) {
          const { steps, toolCount, usage, elapsedMs, cost } = summary
          const about = { status, steps, toolCount, usage: { ...usage } }
          return write(
            'turn.end',
            {
              ...{ ...about, elapsedMs, ...(cost !== undefined && { cost }) },
              ...some('reply', textOf(summary.replyPreview)),
            },
            context,
          )
        },
      }),
    ]

    /** Nothing goes on of which it cannot be written that it does. */
    const gateOf = (event: string, point: (typeof gated)[number]): Hook =>
      defineHook({
        name: `${name}:gate:${point.name}`,
        on: point,
        handler: { version: '1' },
        priority: 980,
        // What it is makes no difference here.
        beforeWrites: true,
        async run(_: unknown, { scope }: { readonly scope: AgentScope }) {
          try {
            await log?.append(lineOf(event, scope, {}))
            return proceed
          } catch {
            return reject('The audit log cannot be written.')
          }
        },
      })
    return [
      ...observers,
      ...(onFailure === 'refuse' && log !== undefined
        ? gated.map((point) => gateOf(`${point.name}.begins`, point))
        : []),
    ]
  },
})

const gated = [turnPreTurn, llmPreCall, toolGuard] as const

/** What is written with. */
interface Writing {
  readonly scope: AgentScope
  readonly contribute: (entry: ReturnType<typeof audit>) => void
  readonly diagnose: (code: string, message: string) => void
}

function placeOf(scope: AgentScope): JsonObject {
  const { agent, origin, sessionId, turnId, step, actor, parents } = scope
  return {
    ...{ agent, origin },
    ...(sessionId !== undefined && { session: sessionId }),
    ...(turnId !== undefined && { turn: turnId }),
    ...(step !== undefined && { step }),
    ...(actor && { actor: { kind: actor.kind, id: actor.id } }),
    ...(parents && { parents: [...parents] }),
  }
}
