/** Something worth remembering, under an id that questions refer to. */
export type Fact = readonly [id: string, text: string]

/** What a person asks later, and the facts that would answer it. */
export interface Question {
  readonly ask: string
  readonly wants: readonly string[]
  /** Not looked at while the ranking was being made. */
  readonly isHeldOut?: true
}

export interface LabelledSet {
  readonly language: string
  readonly facts: readonly Fact[]
  readonly questions: readonly Question[]
}
