import { defineHook } from 'hookline'
import { type AgentEvent, event } from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  flag,
  object,
  text,
} from '../../define-hooks.ts'
import { AgentError } from '../../index.ts'
import { createTurnMeter } from './turn-meter.ts'
import { TurnSpans } from './turn-spans.ts'

export interface OtelOptions {
  /** Spans of turns, model calls and tools; default: true. */
  readonly spans?: boolean
  /** Counts of turns and tokens; default: true. */
  readonly metrics?: boolean
  /** What tracer and meter are called; default: `hookline`. */
  readonly serviceName?: string
}

const options = object<OtelOptions>(
  {
    spans: described(
      flag,
      'Spans of turns, model calls and tools; default: true.',
    ),
    metrics: described(flag, 'Counts of turns and tokens; default: true.'),
    serviceName: described(
      text({ maxLength: 200 }),
      'What tracer and meter are called; default: hookline.',
    ),
  },
  [],
)

type Take = (event: AgentEvent) => void

/** Tells OpenTelemetry, as the program has set it up, what agents do. */
export const otel = defineHooks({
  name: 'otel',
  description: 'Spans and metrics for OpenTelemetry.',
  options,
  create(given, { name }) {
    const { spans = true, metrics = true, serviceName = 'hookline' } = given
    const open = async (): Promise<Take> => {
      const api = await loadApi()
      const tracer = api.trace.getTracer(serviceName)
      const turnSpans = new TurnSpans(api, tracer)
      const meter = createTurnMeter(api.metrics.getMeter(serviceName))
      return (told) => {
        if (spans) turnSpans.take(told)
        if (metrics) meter(told)
      }
    }
    let opened: Promise<Take> | undefined
    const follow = defineHook({
      name: `${name}:follow`,
      on: event,
      handler: { version: '1' },
      // There are many of these, and no span is made of them.
      match: { type: { $not: ['text-*', 'reasoning-*', 'tool-delta'] } },
      async run(told) {
        opened ??= open()
        // Who waits for the same promise goes on in the order of waiting.
        const take = await opened
        take(told)
      },
    })
    return [follow]
  },
})

async function loadApi() {
  try {
    return await import('@opentelemetry/api')
  } catch (cause) {
    const message =
      'The hooks "otel" need the package @opentelemetry/api; install it with: npm install @opentelemetry/api'
    throw new AgentError('missing-package', message, cause)
  }
}
