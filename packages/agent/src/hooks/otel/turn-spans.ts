import type { Context, Span, Tracer } from '@opentelemetry/api'
import type { AgentEvent, HookEdit } from 'hookline/lifecycle'
import type { Runtime } from '../../index.ts'

/** What spans are made with; loaded only where somebody wants them. */
export type TraceApi = Pick<
  typeof import('@opentelemetry/api'),
  'trace' | 'context' | 'SpanKind' | 'SpanStatusCode'
>

/** Spans that have begun, of one turn. */
interface OpenTurn {
  readonly span: Span
  readonly context: Context
  readonly tools: Map<string, Span>
  /** The model call that may be under way. */
  model: StepModel
}

interface StepModel {
  readonly step: number
  readonly since: number
  /** Nothing was heard yet of a call of this step. */
  readonly isAwaited: boolean
}

// Turns that were never heard to end are let go of when there are many.
const maxOpen = 10_000

/**
 * Turns, model calls, tool calls and hooks that changed something, as spans
 * with the names of the GenAI conventions. What was said is not in them.
 */
export class TurnSpans {
  readonly #api: TraceApi
  readonly #tracer: Tracer
  readonly #turns = new Map<string, OpenTurn>()

  constructor(api: TraceApi, tracer: Tracer) {
    this.#api = api
    this.#tracer = tracer
  }

  async follow(runtime: Pick<Runtime, 'subscribe'>, signal: AbortSignal) {
    const events = runtime.subscribe({ whenFull: 'drop', capacity: 10_000 })
    const stop = () => void events.return?.()
    signal.addEventListener('abort', stop, { once: true })
    for await (const event of events) this.take(event)
    for (const { span } of this.#turns.values()) span.end()
    this.#turns.clear()
  }

  take(event: AgentEvent): void {
    if (event.type === 'turn-start') this.#startTurn(event)
    const turn = this.#turns.get(event.turnId)
    if (turn === undefined) return
    if (event.type === 'step-start') {
      const { step } = event
      turn.model = { step, since: Date.now(), isAwaited: true }
    }
    if (event.type === 'usage-delta') this.#endModel(turn, event)
    if (event.type === 'tool-start') this.#startTool(turn, event)
    if (event.type === 'tool-end') this.#endTool(turn, event)
    if (event.type === 'turn-end') this.#endTurn(turn, event)
    if (isEdit(event)) noteEdit(turn, event)
  }

  #startTurn(event: AgentEvent & { readonly type: 'turn-start' }): void {
    if (this.#turns.has(event.turnId)) return
    const { trace, context, SpanKind } = this.#api
    const agent = event.path.at(-1) ?? ''
    const span = this.#tracer.startSpan(`invoke_agent ${agent}`, {
      kind: SpanKind.INTERNAL,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': agent,
        'gen_ai.conversation.id': event.sessionId,
        'hookline.turn.id': event.turnId,
        'hookline.turn.origin': event.origin,
      },
    })
    this.#turns.set(event.turnId, {
      span,
      context: trace.setSpan(context.active(), span),
      tools: new Map(),
      model: { step: 0, since: Date.now(), isAwaited: false },
    })
    if (this.#turns.size > maxOpen) this.#letGoOfOldest()
  }

  #letGoOfOldest(): void {
    for (const [turnId, { span, tools }] of this.#turns) {
      for (const tool of tools.values()) tool.end()
      span.end()
      this.#turns.delete(turnId)
      return
    }
  }

  #child(
    turn: OpenTurn,
    name: string,
    attributes: Record<string, string | number>,
    startTime: number = Date.now(),
  ): Span {
    const kind = this.#api.SpanKind.CLIENT
    const options = { kind, attributes, startTime }
    return this.#tracer.startSpan(name, options, turn.context)
  }

  /**
   * That there was a call is known when it has used something: a hook may have
   * answered in its place, or have called a model of its own meanwhile.
   */
  #endModel(
    turn: OpenTurn,
    { model, usage }: AgentEvent & { readonly type: 'usage-delta' },
  ): void {
    const { step, since } = turn.model
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'hookline.step': step,
      'gen_ai.request.model': model,
      'gen_ai.provider.name': model.split('/')[0] ?? model,
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
    }
    this.#child(turn, `chat ${model}`, attributes, since).end()
    turn.model = { step, since: Date.now(), isAwaited: false }
  }

  /** The turn has failed in the middle of a call, or was cancelled. */
  #endFailedModel(
    turn: OpenTurn,
    { status, error }: AgentEvent & { readonly type: 'turn-end' },
  ): void {
    const { step, since, isAwaited } = turn.model
    const isCut = status === 'failed' || status === 'cancelled'
    if (!isAwaited || !isCut) return
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'hookline.step': step,
      'error.type': error?.code ?? status,
    }
    const span = this.#child(turn, 'chat', attributes, since)
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR })
    span.end()
  }

  #startTool(
    turn: OpenTurn,
    { call }: AgentEvent & { readonly type: 'tool-start' },
  ): void {
    const span = this.#child(turn, `execute_tool ${call.tool}`, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.tool,
      'gen_ai.tool.call.id': call.id,
      'hookline.tool.owner': call.owner,
      'hookline.tool.safety': call.safety,
    })
    turn.tools.set(call.id, span)
  }

  #endTool(
    turn: OpenTurn,
    event: AgentEvent & { readonly type: 'tool-end' },
  ): void {
    const span = turn.tools.get(event.callId)
    turn.tools.delete(event.callId)
    if (span === undefined) return
    span.setAttribute('hookline.tool.status', event.status)
    if (event.result.isError) {
      span.setAttribute('error.type', event.result.error)
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR })
    }
    span.end()
  }

  #endTurn(
    turn: OpenTurn,
    event: AgentEvent & { readonly type: 'turn-end' },
  ): void {
    for (const span of turn.tools.values()) span.end()
    this.#endFailedModel(turn, event)
    turn.span.setAttribute('hookline.turn.status', event.status)
    if (event.error) {
      turn.span.setAttribute('error.type', event.error.code)
      turn.span.setStatus({ code: this.#api.SpanStatusCode.ERROR })
    }
    turn.span.end()
    this.#turns.delete(event.turnId)
  }
}

type Edit = AgentEvent & HookEdit

function isEdit(event: AgentEvent): event is Edit {
  return ['hook-inject', 'hook-replace', 'hook-withhold'].includes(event.type)
}

function noteEdit({ span }: OpenTurn, { type, hook, point, subject }: Edit) {
  span.addEvent(`hookline.${type}`, {
    'hookline.hook': hook,
    'hookline.point': point,
    'hookline.subject': subject,
  })
}
