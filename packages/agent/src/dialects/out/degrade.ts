import type { Capability } from '../capability.ts'
import type { Verdict } from '../verdict.ts'
import type { Said } from './said.ts'
import type { Told } from './told.ts'

/** Something that the product cannot do as our hooks want it. */
export interface Degradation {
  readonly wanted: Capability | 'hint'
  /** `nothing`: it goes on without. */
  readonly instead: Capability | 'nothing'
  readonly message: string
}

export interface Degraded {
  readonly verdict: Verdict
  readonly degradations: readonly Degradation[]
  /** False: something was refused, and the product goes on all the same. */
  readonly isEnforced: boolean
}

interface Degrading {
  readonly told: Told
  readonly can: readonly Capability[]
  readonly isStrict: boolean
  readonly isRepresentable: boolean
}

/**
 * Makes of what was said what the product can honour. A refusal becomes another
 * refusal, or it is said that there is none; it never becomes a yes.
 */
export function degrade(said: Said, degrading: Degrading): Degraded {
  const work = new Work(said, degrading)
  work.answerForCall()
  work.rewrites()
  work.endTurn()
  work.ask()
  work.deny()
  work.rest()
  return work.done()
}

class Work {
  readonly #told: Told
  readonly #can: readonly Capability[]
  readonly #isStrict: boolean
  readonly #isRepresentable: boolean
  readonly #degradations: Degradation[] = []
  #said: Said
  #isEnforced = true

  constructor(said: Said, degrading: Degrading) {
    this.#said = said
    this.#told = degrading.told
    this.#can = degrading.can
    this.#isStrict = degrading.isStrict
    this.#isRepresentable = degrading.isRepresentable
  }

  /** No product lets a hook give the result of a call; the reason can say it. */
  answerForCall(): void {
    const { result, unsayable, ...rest } = this.#said
    this.#said = rest
    if (unsayable !== undefined) {
      this.#note('hint', 'nothing', `cannot be told ${unsayable}`)
    }
    if (result === undefined) return
    this.#note('respond', 'deny', 'cannot be given the result of a call')
    this.#refuse(result)
  }

  rewrites(): void {
    const { updatedInput, updatedOutput, updatedPrompt } = this.#said
    if (updatedInput !== undefined) {
      const isAble = this.#isAble('rewrite-args') && this.#isRepresentable
      if (!isAble) this.#dropArgs()
    }
    if (updatedPrompt !== undefined && !this.#isAble('rewrite-prompt')) {
      this.#dropRewrite('rewrite-prompt', 'updatedPrompt')
    }
    if (updatedOutput !== undefined && !this.#isAble('rewrite-result')) {
      this.#dropRewrite('rewrite-result', 'updatedOutput')
    }
  }

  endTurn(): void {
    const { stop } = this.#said
    if (stop === undefined || this.#isAble('end-turn')) return
    this.#drop('stop')
    if (this.#isAble('deny')) {
      this.#note('end-turn', 'deny', 'cannot end the turn')
      this.#refuse(stop)
    } else this.#fail('end-turn', 'cannot end the turn')
  }

  ask(): void {
    const { decision, reason } = this.#said
    const isAsked = decision === 'ask' || decision === 'defer'
    if (!isAsked || this.#isAble('ask')) return
    this.#note('ask', 'deny', 'cannot ask a person')
    this.#refuse(`A person has to agree: ${reason ?? ''}`)
  }

  deny(): void {
    const { decision, reason = 'A hook does not allow it.' } = this.#said
    if (decision !== 'deny' || this.#isAble('deny')) return
    this.#drop('decision')
    const { kind } = this.#told
    const isResult = kind === 'tool-post' || kind === 'tool-failure'
    if (isResult && this.#isAble('rewrite-result')) {
      this.#note('deny', 'rewrite-result', 'withholds a result by another one')
      const updatedOutput = `[withheld: ${reason}]`
      this.#said = { ...this.#said, updatedOutput }
      return
    }
    const isHarmless = !isResult || this.#isStrict
    if (this.#isAble('end-turn') && isHarmless) {
      this.#note('deny', 'end-turn', 'cannot refuse this alone')
      this.#said = { ...this.#said, stop: reason }
      return
    }
    if (this.#isAble('context')) {
      const context = [...(this.#said.context ?? []), reason]
      this.#said = { ...this.#said, context }
    }
    this.#fail('deny', 'cannot refuse it')
  }

  rest(): void {
    const { context = [], notices = [], keepGoing, decision } = this.#said
    if (context.length > 0 && !this.#isAble('context')) {
      this.#drop('context')
      this.#note('context', 'nothing', 'cannot be given context')
    }
    if (notices.length > 0 && !this.#isAble('tell-user')) {
      this.#drop('notices')
      this.#note('tell-user', 'nothing', 'cannot tell the user')
    }
    if (keepGoing !== undefined && !this.#isAble('keep-going')) {
      this.#drop('keepGoing')
      this.#note('keep-going', 'nothing', 'cannot go on')
    }
    if (decision === 'allow' && !this.#isAble('allow')) {
      this.#drop('decision')
      this.#note('allow', 'nothing', 'cannot be told to allow')
    }
  }

  done(): Degraded {
    return {
      verdict: this.#said,
      degradations: this.#degradations,
      isEnforced: this.#isEnforced,
    }
  }

  /** Who has agreed to these arguments has agreed to no others. */
  #dropArgs(): void {
    if (this.#said.decision === 'allow') {
      this.#drop('decision')
      this.#drop('reason')
    }
    this.#dropRewrite('rewrite-args', 'updatedInput')
  }

  /** What was to be changed runs as it was, or not at all. */
  #dropRewrite(wanted: Capability, key: keyof Verdict): void {
    this.#drop(key)
    const what = `cannot be given what ${wanted} asks for`
    this.#note(wanted, this.#isStrict ? 'deny' : 'nothing', what)
    if (!this.#isStrict) return
    this.#refuse('A hook would have to change it, which cannot be done here.')
  }

  /** Refuses in whatever way there is; a reason that is there already stays. */
  #refuse(reason: string): void {
    if (this.#said.decision === 'deny') return
    this.#said = { ...this.#said, decision: 'deny', reason }
  }

  #isAble(capability: Capability): boolean {
    return this.#can.includes(capability)
  }

  #drop(key: keyof Verdict): void {
    const { [key]: _, ...rest } = this.#said
    this.#said = rest
  }

  #note(
    wanted: Degradation['wanted'],
    instead: Degradation['instead'],
    what: string,
  ): void {
    const { dialect, event } = this.#told
    const message = `A hook of ${event} in ${dialect} ${what}.`
    this.#degradations.push({ wanted, instead, message })
  }

  #fail(wanted: Capability, what: string): void {
    this.#isEnforced = false
    this.#note(wanted, 'nothing', what)
  }
}
