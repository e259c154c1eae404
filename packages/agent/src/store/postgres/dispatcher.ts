/** Who wants a connection, the most urgent first. */
const lanes = ['urgent', 'read', 'patient'] as const
export type Lane = (typeof lanes)[number]

/** Something to be done on a connection. */
export interface Task {
  /** It is done for itself, perhaps as it failed together with others. */
  readonly isAlone: boolean
}

export interface DispatcherOptions<Item extends Task> {
  readonly size: number
  readonly withoutReserve: boolean
  /** How many of a lane may be done together. */
  readonly together: Readonly<Record<Lane, number>>
  /** Does them; never fails. */
  readonly run: (items: readonly Item[], lane: Lane) => Promise<void>
}

interface Waiting<Item> {
  readonly item: Item
  readonly since: number
}

/**
 * Shares connections out. What is urgent comes first and may have all of them,
 * reads leave one, patient work leaves two. What has to wait is done together
 * with its neighbours; what has waited for long comes first of all.
 */
export class Dispatcher<Item extends Task> {
  readonly #options: DispatcherOptions<Item>
  readonly #waiting: Record<Lane, Waiting<Item>[]> = {
    urgent: [],
    read: [],
    patient: [],
  }
  readonly #running: Record<Lane, number> = { urgent: 0, read: 0, patient: 0 }
  readonly #runs = new Set<Promise<void>>()
  #isPlanned = false
  #patientTimer: NodeJS.Timeout | undefined
  #slowTimer: NodeJS.Timeout | undefined
  #isPatientDue = false

  constructor(options: DispatcherOptions<Item>) {
    this.#options = options
  }

  add(item: Item, lane: Lane): void {
    this.#waiting[lane].push({ item, since: performance.now() })
    if (lane === 'patient' && this.#canWait(item)) {
      this.#startLater()
      return
    }
    if (lane === 'patient') this.#isPatientDue = true
    this.#startSoon()
  }

  /** Settles when all that was added has been done. */
  async drain(): Promise<void> {
    do {
      this.#releasePatient()
      await Promise.all(this.#runs)
    } while (this.#runs.size > 0 || this.#hasWaiting())
  }

  /** For others to come: not when it was with them already, or there are many. */
  #canWait({ isAlone }: Item): boolean {
    const { length } = this.#waiting.patient
    return !isAlone && length < this.#options.together.patient
  }

  /** After the tick: what was added in it is seen together. */
  #startSoon(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    process.nextTick(() => {
      this.#isPlanned = false
      this.#start()
    })
  }

  #startLater(): void {
    const release = () => this.#releasePatient()
    this.#patientTimer ??= setTimeout(release, patientWaitMs)
  }

  #releasePatient(): void {
    clearTimeout(this.#patientTimer)
    this.#patientTimer = undefined
    this.#isPatientDue = true
    this.#start()
  }

  #start(): void {
    for (;;) {
      const lane = this.#nextLane()
      if (lane === undefined) break
      this.#begin(this.#take(lane), lane)
    }
    if (this.#waiting.patient.length === 0) this.#isPatientDue = false
    this.#startSlow()
  }

  /** What waits for a few that are slow gets connections of its own. */
  #startSlow(): void {
    const isHeld =
      this.#waiting.urgent.length > 0 && this.#runs.size < this.#options.size
    if (!isHeld || this.#slowTimer !== undefined) return
    this.#slowTimer = setTimeout(() => {
      this.#slowTimer = undefined
      this.#start()
    }, slowMs)
  }

  #nextLane(): Lane | undefined {
    const ready = lanes.filter((lane) => this.#canStart(lane))
    const now = performance.now()
    return ready.find((lane) => this.#hasWaitedLong(lane, now)) ?? ready[0]
  }

  #canStart(lane: Lane): boolean {
    if (this.#waiting[lane].length === 0) return false
    if (lane === 'patient' && !this.#isPatientDue) return false
    return this.#freeFor(lane) > 0
  }

  #hasWaitedLong(lane: Lane, now: number): boolean {
    const first = this.#waiting[lane][0]
    return first !== undefined && now - first.since > longWaitMs[lane]
  }

  /** Evenly over the free connections, patient work all on one. */
  #take(lane: Lane): readonly Item[] {
    const waiting = this.#waiting[lane]
    const share = lane === 'patient' ? 1 : this.#freeFor(lane)
    const most = Math.ceil(waiting.length / share)
    const alone = waiting.findIndex(({ item }) => item.isAlone)
    const count = Math.min(most, this.#options.together[lane])
    const until = alone === -1 ? count : Math.min(count, Math.max(alone, 1))
    return waiting.splice(0, until).map(({ item }) => item)
  }

  #begin(items: readonly Item[], lane: Lane): void {
    this.#running[lane] += 1
    const run = this.#options.run(items, lane).finally(() => {
      this.#running[lane] -= 1
      this.#runs.delete(run)
      this.#start()
    })
    this.#runs.add(run)
  }

  #freeFor(lane: Lane): number {
    const { size } = this.#options
    const free = size - this.#runs.size
    return Math.min(free, this.#limitOf(lane) - this.#running[lane])
  }

  #limitOf(lane: Lane): number {
    const { size, withoutReserve } = this.#options
    if (lane === 'urgent') return this.#isSlow() ? size : Math.min(size, width)
    if (withoutReserve) return size
    return Math.max(1, size - (lane === 'read' ? 1 : 2))
  }

  #isSlow(): boolean {
    const first = this.#waiting.urgent[0]
    return first !== undefined && performance.now() - first.since >= slowMs
  }

  #hasWaiting(): boolean {
    return lanes.some((lane) => this.#waiting[lane].length > 0)
  }
}

const patientWaitMs = 10

/** So many at a time do the work of more: those who wait go together. */
const width = 4
const slowMs = 5

/** Then it comes before what is more urgent. */
const longWaitMs: Readonly<Record<Lane, number>> = {
  urgent: Number.POSITIVE_INFINITY,
  read: 20,
  patient: 100,
}
