import type { Runtime } from '@hookline/agent'
import { createTurnMeter, TurnSpans } from '@hookline/agent/hooks'
import type { HookRecord } from 'hookline'

export interface TelemetryOptions {
  /** Where traces and metrics go: a collector that speaks OTLP over HTTP. */
  readonly endpoint: string
  /** Beside what OTLP needs, such as a key of whoever takes them. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: `hookline`. */
  readonly serviceName?: string
  /** How often metrics are sent; default 60 s. */
  readonly metricsIntervalMs?: number
}

export interface Telemetry {
  /** Sends what is left. */
  close(): Promise<void>
}

/** Tells a collector what a runtime does. Its packages are loaded here only. */
export async function startTelemetry(
  runtime: Pick<Runtime, 'engine' | 'subscribe'>,
  options: TelemetryOptions,
): Promise<Telemetry> {
  const [api, traces, exporter, metrics, metricsExporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
  ])
  const { endpoint, headers = {}, metricsIntervalMs = 60_000 } = options
  const base = endpoint.replace(/\/$/, '')
  const name = options.serviceName ?? 'hookline'
  const provider = new traces.NodeTracerProvider({
    spanProcessors: [
      new traces.BatchSpanProcessor(
        new exporter.OTLPTraceExporter({ url: `${base}/v1/traces`, headers }),
      ),
    ],
  })
  const meters = new metrics.MeterProvider({
    readers: [
      new metrics.PeriodicExportingMetricReader({
        exporter: new metricsExporter.OTLPMetricExporter({
          url: `${base}/v1/metrics`,
          headers,
        }),
        exportIntervalMillis: metricsIntervalMs,
        exportTimeoutMillis: Math.min(metricsIntervalMs, 10_000),
      }),
    ],
  })
  const end = new AbortController()
  const spans = new TurnSpans(api, provider.getTracer(name))
  const following = spans.follow(runtime, end.signal)
  const unmeter = meter(runtime, meters.getMeter(name))
  return {
    async close() {
      unmeter()
      end.abort()
      await following
      await provider.shutdown()
      await meters.shutdown()
    },
  }
}

type Meter = import('@opentelemetry/api').Meter

/** The figures of the GenAI conventions, and those of hooks. */
function meter(
  runtime: Pick<Runtime, 'engine' | 'subscribe'>,
  meters: Meter,
): () => void {
  const hookTime = meters.createHistogram('hookline.hook.duration', {
    unit: 's',
  })
  const failures = meters.createCounter('hookline.hook.failures')
  const events = runtime.subscribe({ whenFull: 'drop', capacity: 10_000 })
  const take = createTurnMeter(meters)
  void (async () => {
    for await (const event of events) take(event)
  })()
  const takeRun = ({ hook, point, state, ...record }: HookRecord) => {
    if (state === 'skipped') return
    const about = { 'hookline.hook': hook, 'hookline.point': point }
    hookTime.record(record.latencyMs / 1_000, about)
    const { failure, failedOpen } = record
    if (failure === undefined) return
    failures.add(1, {
      ...about,
      'hookline.failure.code': failure.code,
      'hookline.failed_open': failedOpen,
    })
  }
  const unobserve = runtime.engine.observe((event) => {
    if (event.type === 'hook-end') takeRun(event.record)
  })
  return () => {
    unobserve()
    void events.return?.()
  }
}
