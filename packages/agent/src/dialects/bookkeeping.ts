import {
  ask,
  defineHook,
  endTurn,
  type Hook,
  proceed,
  reject,
  respond,
} from 'hookline'
import {
  llmPostCall,
  llmPreCall,
  permissionRequest,
  sessionEnd,
  sessionStart,
  subagentStart,
  toolGuard,
  toolPostBatch,
  toolPostCall,
  turnInput,
  turnPostTurn,
  turnPreTurn,
} from 'hookline/lifecycle'
import { textOf } from './alias-call.ts'
import { rootCell } from './children.ts'
import { contributeContext } from './contribute.ts'
import type { DialectName } from './dialect.ts'
import { isConversation } from './is-conversation.ts'
import type { World } from './kind.ts'

const first = -10_000
const last = 10_000

interface Bookkeeping {
  readonly world: World
  readonly dialect: DialectName
  readonly prefix: string
  /** Has the dialect forget what it keeps of a session. */
  readonly endSession: (sessionId: string) => void
}

/** The hooks of our own that carry things from one point to another. */
export function bookkeeping(books: Bookkeeping): readonly Hook[] {
  return [...carryHooks(books), ...transcriptHooks(books), ...stopHooks(books)]
}

/** Approvals, questions, and words of handlers that nobody waited for. */
function carryHooks({ world, dialect, prefix }: Bookkeeping): readonly Hook[] {
  const { memory, parts } = world
  const { rulings } = memory
  const { dataDir } = parts
  return [
    defineHook({
      name: `${prefix}:approvals`,
      on: permissionRequest,
      capabilities: ['approve'],
      match: ({ call }, scope) => rulings.approverOf(call, scope) !== undefined,
      run({ call, questions }, context) {
        const by = rulings.approverOf(call, context.scope)
        if (by === undefined) return proceed
        // An "allow" lifts what a mode asks of all such calls; the question of a
        // rule, or of another hook, stands.
        const isLifted =
          call.grant.askedBy === 'mode' &&
          questions.every((question) => question.by === 'policy')
        if (!isLifted) {
          const message = `${by} has allowed this call, but a rule or another hook asks about it.`
          context.diagnose('not-honoured', message)
          return proceed
        }
        context.diagnose('approved', `${by} has allowed this call.`)
        return respond({ type: 'allow' })
      },
    }),
    defineHook({
      name: `${prefix}:questions`,
      on: toolGuard,
      match: (call, scope) => rulings.isLeft(call, scope),
      run(call, { scope }) {
        const stop = rulings.stopOf(call, scope)
        const question = rulings.questionOn(call, scope)
        // It is said now; and where somebody asks, nobody has allowed it.
        rulings.forget(call, scope)
        if (stop !== undefined) {
          memory.stop(scope, stop)
          return reject(stop)
        }
        return question === undefined ? proceed : ask(question)
      },
    }),
    defineHook({
      name: `${prefix}:late-words`,
      on: turnPreTurn,
      priority: last,
      capabilities: ['context'],
      match: (_, { sessionId = '' }) =>
        memory.hasWords(sessionId) || memory.hasFailures(sessionId),
      run(_, context) {
        const { sessionId = '' } = context.scope
        for (const message of memory.takeFailures(sessionId)) {
          context.diagnose('failed-open', message)
        }
        const told = memory.takeWords(sessionId)
        contributeContext(told, { dialect, dataDir, context })
        return proceed
      },
    }),
    defineHook({
      name: `${prefix}:calls-end`,
      on: toolPostCall,
      // On the way back the first one: after a reject nobody is asked.
      priority: last,
      beforeWrites: true,
      onFailure: 'open',
      match: ({ call }, scope) => rulings.has(call, scope),
      run({ call }, { scope }) {
        rulings.forget(call, scope)
        return proceed
      },
    }),
    defineHook({
      name: `${prefix}:calls-left`,
      on: turnPreTurn,
      priority: first,
      onFailure: 'open',
      match: (_, scope) => rulings.hasOlder(scope),
      run(_, { scope }) {
        rulings.forgetOlder(scope)
        return proceed
      },
    }),
  ]
}

/** What is said is written down before anybody is asked about it. */
function transcriptHooks({
  world,
  prefix,
  endSession,
}: Bookkeeping): readonly Hook[] {
  const { memory, transcripts } = world
  return [
    defineHook({
      name: `${prefix}:child-begin`,
      on: subagentStart,
      priority: first,
      onFailure: 'open',
      async run(input, { scope, state }) {
        memory.children.begin(input, scope)
        const root = memory.children.rootOf(scope.sessionId ?? '')
        await state.update(rootCell, (before) => before || root)
        return proceed
      },
    }),
    defineHook({
      name: `${prefix}:session-begin`,
      on: sessionStart,
      priority: first,
      onFailure: 'open',
      async run(_, { scope, state }) {
        if (scope.parents !== undefined) {
          memory.children.enter(scope, await state.get(rootCell))
        }
        transcripts.begin(scope.sessionId ?? '')
        return proceed
      },
    }),
    defineHook({
      name: `${prefix}:turn-begin`,
      on: turnInput,
      priority: first,
      beforeWrites: true,
      onFailure: 'open',
      run({ content }, { scope }) {
        memory.beginTurn(scope)
        memory.children.bind(scope, textOf(content))
        return proceed
      },
    }),
    defineHook({
      name: `${prefix}:turn-end`,
      on: turnPostTurn,
      run(_, { scope }) {
        memory.endTurn(scope)
        return proceed
      },
    }),
    defineHook({
      name: `${prefix}:session-end`,
      on: sessionEnd,
      priority: first,
      run(_, { scope }) {
        const { sessionId = '' } = scope
        memory.endSession(sessionId)
        transcripts.end(sessionId)
        endSession(sessionId)
        return proceed
      },
    }),
    defineHook({
      name: `${prefix}:transcript-input`,
      on: turnPreTurn,
      priority: last,
      onFailure: 'open',
      run({ content }, { scope }) {
        transcripts.addUser(scope, content)
        return proceed
      },
    }),
    defineHook({
      name: `${prefix}:transcript-reply`,
      on: llmPostCall,
      priority: first,
      onFailure: 'open',
      // It only writes down what the others have let pass.
      holdBack: 'none',
      match: ({ type }, scope) => type === 'response' && isConversation(scope),
      run(input, { scope }) {
        if (input.type !== 'response') return proceed
        const { response, request } = input
        transcripts.addAssistant(scope, response, request.model)
        memory.useModel(scope.sessionId ?? '', request.model)
        return proceed
      },
    }),
    defineHook({
      name: `${prefix}:transcript-results`,
      on: toolPostBatch,
      priority: first,
      run({ results }, { scope }) {
        transcripts.addResults(scope, results)
        return proceed
      },
    }),
  ]
}

/** Who wants the turn to end where it cannot be ended is heard here. */
function stopHooks({ world, dialect, prefix }: Bookkeeping): readonly Hook[] {
  const { memory, parts } = world
  const { dataDir } = parts
  return [
    defineHook({
      name: `${prefix}:stop-model`,
      on: llmPreCall,
      // Before any hook that replaces the call, which would end the chain.
      priority: first,
      beforeWrites: true,
      match: (_, scope) =>
        isConversation(scope) && memory.stopOf(scope) !== undefined,
      run(_, { scope }) {
        const reason = memory.stopOf(scope)
        memory.forgetStop(scope)
        return reason === undefined ? proceed : endTurn(reason)
      },
    }),
    defineHook({
      name: `${prefix}:stop-batch`,
      on: toolPostBatch,
      priority: last,
      capabilities: ['context'],
      match: (_, scope) =>
        memory.stopOf(scope) !== undefined ||
        memory.hasWords(scope.sessionId ?? ''),
      run(_, context) {
        const { scope } = context
        const told = memory.takeWords(scope.sessionId ?? '')
        contributeContext(told, { dialect, dataDir, context })
        const reason = memory.stopOf(scope)
        memory.forgetStop(scope)
        return reason === undefined ? proceed : endTurn(reason)
      },
    }),
  ]
}
