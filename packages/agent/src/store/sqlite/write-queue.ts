import type { SentUnit } from './messages.ts'

/** What waits to be written, what is urgent before what is not. */
export class WriteQueue {
  readonly #urgent = new Line()
  readonly #patient = new Line()
  #patientTaken = 0
  #endsAt = 0

  get isEmpty(): boolean {
    return this.#urgent.isEmpty && this.#patient.isEmpty
  }

  add(units: readonly SentUnit[]): void {
    for (const unit of units) {
      const line = unit.isPatient ? this.#patient : this.#urgent
      line.add(unit)
    }
  }

  /**
   * The units of one transaction: all that is urgent, then what is patient for
   * as long as that may hold up the others. One patient unit at least, so that
   * none waits for ever.
   */
  beginGroup(): void {
    this.#patientTaken = 0
    this.#endsAt = 0
  }

  next(): SentUnit | undefined {
    const urgent = this.#urgent.take()
    if (urgent !== undefined) return urgent
    if (this.#patientTaken === 0) this.#endsAt = performance.now() + patientMs
    else if (performance.now() > this.#endsAt) return undefined
    this.#patientTaken += 1
    return this.#patient.take()
  }
}

const patientMs = 5

/** First in, first out; taking one does not move the others. */
class Line {
  #units: SentUnit[] = []
  #head = 0

  get isEmpty(): boolean {
    return this.#head === this.#units.length
  }

  add(unit: SentUnit): void {
    this.#units.push(unit)
  }

  take(): SentUnit | undefined {
    const unit = this.#units[this.#head]
    if (unit === undefined) return undefined
    this.#head += 1
    if (this.isEmpty) {
      this.#units = []
      this.#head = 0
    }
    return unit
  }
}
