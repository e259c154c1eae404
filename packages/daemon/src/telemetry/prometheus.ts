/** Names and values that tell one series of a metric from the others. */
export type Labels = Readonly<Record<string, string>>

export interface MetricSpec {
  readonly name: string
  readonly help: string
}

/** Something that is counted, or measured, by labels. */
export interface Metric {
  /** In the text form that Prometheus reads. */
  write(lines: string[]): void
}

// A label that anybody can choose must not fill the memory.
const maxSeries = 1_000
const otherKey = 'other'
const seriesKey = (labels: Labels) => JSON.stringify(labels)

/** Series by their labels; those beyond the limit count as one. */
class Series<T> {
  readonly #make: () => T
  readonly #all = new Map<
    string,
    { readonly labels: Labels; readonly value: T }
  >()

  constructor(make: () => T) {
    this.#make = make
  }

  at(labels: Labels): T {
    const key = seriesKey(labels)
    const known = this.#all.get(key)
    if (known !== undefined) return known.value
    const isFull = this.#all.size >= maxSeries
    return isFull ? this.#other(labels) : this.#add(key, labels)
  }

  #add(key: string, labels: Labels): T {
    const value = this.#make()
    this.#all.set(key, { labels, value })
    return value
  }

  #other(labels: Labels): T {
    const known = this.#all.get(otherKey)?.value
    return known ?? this.#add(otherKey, others(labels))
  }

  [Symbol.iterator]() {
    return this.#all.values()
  }
}

function others(labels: Labels): Labels {
  return Object.fromEntries(Object.keys(labels).map((key) => [key, 'other']))
}

/** A number that only grows. */
export class Counter implements Metric {
  readonly #spec: MetricSpec
  readonly #series = new Series(() => ({ value: 0 }))

  constructor(spec: MetricSpec) {
    this.#spec = spec
  }

  add(labels: Labels, by = 1): void {
    this.#series.at(labels).value += by
  }

  write(lines: string[]): void {
    head(lines, this.#spec, 'counter')
    for (const { labels, value } of this.#series) {
      lines.push(`${this.#spec.name}${braces(labels)} ${value.value}`)
    }
  }
}

/** A number that is looked up when somebody asks. */
export class Gauge implements Metric {
  readonly #spec: MetricSpec
  readonly #read: () => number

  constructor(spec: MetricSpec, read: () => number) {
    this.#spec = spec
    this.#read = read
  }

  write(lines: string[]): void {
    head(lines, this.#spec, 'gauge')
    lines.push(`${this.#spec.name} ${this.#read()}`)
  }
}

/** How long things take, in seconds. */
export class Histogram implements Metric {
  static readonly buckets = [
    0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120,
  ] as const

  readonly #spec: MetricSpec
  readonly #series = new Series(() => ({
    counts: Histogram.buckets.map(() => 0),
    count: 0,
    sum: 0,
  }))

  constructor(spec: MetricSpec) {
    this.#spec = spec
  }

  observe(labels: Labels, seconds: number): void {
    const series = this.#series.at(labels)
    series.count++
    series.sum += seconds
    const index = Histogram.buckets.findIndex((bound) => seconds <= bound)
    if (index !== -1) series.counts[index] = (series.counts[index] ?? 0) + 1
  }

  write(lines: string[]): void {
    const { name } = this.#spec
    head(lines, this.#spec, 'histogram')
    for (const { labels, value } of this.#series) {
      let sum = 0
      for (const [index, bound] of Histogram.buckets.entries()) {
        sum += value.counts[index] ?? 0
        const le = { ...labels, le: String(bound) }
        lines.push(`${name}_bucket${braces(le)} ${sum}`)
      }
      const all = { ...labels, le: '+Inf' }
      lines.push(`${name}_bucket${braces(all)} ${value.count}`)
      lines.push(`${name}_sum${braces(labels)} ${value.sum}`)
      lines.push(`${name}_count${braces(labels)} ${value.count}`)
    }
  }
}

function head(lines: string[], { name, help }: MetricSpec, type: string): void {
  lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
}

function braces(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escapeLabel(value)}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const maxLabelChars = 200

function escapeLabel(value: string): string {
  return value
    .slice(0, maxLabelChars)
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
}
