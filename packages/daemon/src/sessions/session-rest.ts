import type { Timer } from 'hookline'
import type { HeldSession } from './held-session.ts'
import type { HostParts } from './host-parts.ts'
import type { InboxAttendant } from './inbox-attendant.ts'

/** A session that is here, and who sees to it. */
export interface Place {
  readonly held: HeldSession
  readonly attendant: InboxAttendant
  readonly unfollow: () => void
  timer?: Timer | undefined
  /** How many need it here for a moment. */
  uses: number
}

export interface SessionRestOptions {
  readonly places: ReadonlyMap<string, Place>
  readonly leave: (held: HeldSession) => Promise<void>
  readonly isDraining: () => boolean
}

type RestParts = Pick<HostParts, 'clock' | 'settings' | 'store' | 'noteError'>

/** How long sessions stay here with nothing to do. */
export class SessionRest {
  readonly #parts: RestParts
  readonly #options: SessionRestOptions

  constructor(parts: RestParts, options: SessionRestOptions) {
    this.#parts = parts
    this.#options = options
  }

  /** Nothing to do: it is let go of, at once or after a while. */
  begin(place: Place): void {
    const { clock, settings } = this.#parts
    const { held } = place
    if (held.leaving !== undefined || place.uses > 0) return
    if (settings.idleMs === 0 || this.#options.isDraining()) {
      void this.#options.leave(held)
      return
    }
    if (place.timer !== undefined) return
    place.timer = clock.after(
      settings.idleMs,
      () => void this.#leaveIdle(place),
    )
    place.timer.hold(false)
    this.#makeRoom()
  }

  /** Something happened in it. */
  end(place: Place): void {
    place.timer?.stop()
    place.timer = undefined
  }

  /** A turn that waits for people is kept so long, and then by nobody. */
  watchWait(place: Place): void {
    const { clock, settings } = this.#parts
    const { held } = place
    this.end(place)
    if (!held.run?.isWaiting) return
    place.timer = clock.after(
      settings.waitMs,
      () => void this.#leaveWaiting(place),
    )
    place.timer.hold(false)
  }

  /**
   * Unless it has been answered: whoever let go of it then would take it again,
   * and on a store that is slower than the wait do so for ever.
   */
  async #leaveWaiting(place: Place): Promise<void> {
    const { store, noteError } = this.#parts
    const { held } = place
    if (!held.run?.isWaiting) return
    const open = await store.approvals.count(held.id).catch((error) => {
      noteError('session-rest', error)
      return 0
    })
    if (open === 0) this.watchWait(place)
    else if (held.run?.isWaiting) await this.#options.leave(held)
  }

  async #leaveIdle(place: Place): Promise<void> {
    this.end(place)
    if (place.held.run === undefined && place.uses === 0) {
      await this.#options.leave(place.held)
    }
  }

  #makeRoom(): void {
    const { places } = this.#options
    const { maxIdle } = this.#parts.settings
    // It is asked after every turn.
    if (places.size <= maxIdle) return
    const idle = [...places.values()].filter(
      ({ held, uses }) => !held.run && !held.leaving && uses === 0,
    )
    const spare = idle.length - maxIdle
    // The oldest came first.
    for (const place of idle.slice(0, Math.max(0, spare))) {
      void this.#leaveIdle(place)
    }
  }
}
