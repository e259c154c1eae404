import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Runtime } from '@hookline/agent'
import type { EngineEvent, HookRecord } from 'hookline'
import type { AgentEvent } from 'hookline/lifecycle'
import { Counter, Gauge, Histogram, type Metric } from './prometheus.ts'

/** What there is of each at the moment. */
export interface DaemonCounts {
  readonly sessions: number
  readonly turns: number
  readonly streams: number
}

export interface DaemonMetrics {
  /** In the text form that Prometheus reads. */
  text(): string
  close(): void
}

/** How often it is looked whether the loop has its turns. */
const lookMs = 10

/** Counts what a runtime does, for whoever looks. */
export function createMetrics(
  runtime: Pick<Runtime, 'engine' | 'subscribe'>,
  counts: () => DaemonCounts,
): DaemonMetrics {
  const hooks = new HookMetrics()
  const agents = new AgentMetrics()
  const unobserve = runtime.engine.observe((event) => hooks.take(event))
  const events = runtime.subscribe({ whenFull: 'drop', capacity: 10_000 })
  const delay = monitorEventLoopDelay({ resolution: lookMs })
  delay.enable()
  const read = follow(events, (event) => agents.take(event))
  const all: readonly Metric[] = [
    ...hooks.all,
    ...agents.all,
    gauge(
      'open_sessions',
      'Sessions that this daemon has.',
      () => counts().sessions,
    ),
    gauge('running_turns', 'Turns that run.', () => counts().turns),
    gauge('open_streams', 'Streams of events.', () => counts().streams),
    gauge('memory_bytes', 'Memory of the process.', () =>
      process.memoryUsage.rss(),
    ),
    gauge(
      'loop_delay_seconds',
      'How long the loop was held up, at worst.',
      () => {
        // What is measured is the time from one look to the next.
        const worst = Math.max(0, delay.max / 1e9 - lookMs / 1_000)
        delay.reset()
        return worst
      },
    ),
  ]
  return {
    text() {
      const lines: string[] = []
      for (const metric of all) metric.write(lines)
      return `${lines.join('\n')}\n`
    },
    close() {
      unobserve()
      delay.disable()
      void events.return?.()
      read.catch(() => {})
    },
  }
}

const prefix = 'hookline_'
const gauge = (name: string, help: string, read: () => number) =>
  new Gauge({ name: `${prefix}${name}`, help }, read)
const counter = (name: string, help: string) =>
  new Counter({ name: `${prefix}${name}`, help })
const histogram = (name: string, help: string) =>
  new Histogram({ name: `${prefix}${name}`, help })

async function follow(
  events: AsyncIterable<AgentEvent>,
  take: (event: AgentEvent) => void,
): Promise<void> {
  for await (const event of events) take(event)
}

/** Of each hook: how long it takes, and how it fails. */
class HookMetrics {
  readonly #latency = histogram('hook_seconds', 'How long hooks take.')
  readonly #runs = counter(
    'hook_runs_total',
    'Runs of hooks, by how they ended.',
  )
  readonly #failures = counter(
    'hook_failures_total',
    'Failures of hooks, by their code.',
  )
  readonly #failedOpen = counter(
    'hook_failed_open_total',
    'Failures of hooks after which things went on.',
  )
  readonly #timeouts = counter(
    'hook_timeouts_total',
    'Runs of hooks that did not end in time.',
  )
  readonly #alarms = counter('alarms_total', 'What must not happen, and did.')
  readonly all = [
    this.#latency,
    this.#runs,
    this.#failures,
    this.#failedOpen,
    this.#timeouts,
    this.#alarms,
  ]

  take(event: EngineEvent): void {
    if (event.type === 'hook-end') this.#takeRun(event.record)
    if (event.type === 'alarm') this.#alarms.add({ code: event.code })
  }

  #takeRun(record: HookRecord): void {
    const { hook, point, state, latencyMs, failure, failedOpen } = record
    this.#runs.add({ hook, point, state })
    if (state === 'skipped') return
    this.#latency.observe({ hook, point }, latencyMs / 1_000)
    if (failure) this.#failures.add({ hook, code: failure.code })
    if (failedOpen) this.#failedOpen.add({ hook })
    if (state === 'timed_out') this.#timeouts.add({ hook })
  }
}

/** Of agents: turns, tools, tokens. */
class AgentMetrics {
  readonly #turns = counter('turns_total', 'Turns, by how they ended.')
  readonly #tools = counter(
    'tool_calls_total',
    'Calls of tools, by how they ended.',
  )
  readonly #toolTime = histogram('tool_seconds', 'How long tools take.')
  readonly #tokens = counter(
    'tokens_total',
    'Tokens that models took and gave.',
  )
  readonly all = [this.#turns, this.#tools, this.#toolTime, this.#tokens]

  take(event: AgentEvent): void {
    const agent = event.path.at(-1) ?? ''
    if (event.type === 'turn-end') {
      this.#turns.add({ agent, status: event.status })
    }
    if (event.type === 'tool-end') {
      const { tool, status, elapsedMs } = event
      this.#tools.add({ tool, status })
      this.#toolTime.observe({ tool }, elapsedMs / 1_000)
    }
    if (event.type === 'usage-delta') {
      const { model, usage } = event
      this.#tokens.add({ model, kind: 'input' }, usage.inputTokens)
      this.#tokens.add({ model, kind: 'output' }, usage.outputTokens)
    }
  }
}
