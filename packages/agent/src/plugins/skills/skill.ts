/** What an agent can learn when it needs it: instructions, with files beside. */
export interface Skill {
  readonly name: string
  readonly description: string
  /** The instructions. */
  readonly body: string
  /** Where its files are. */
  readonly folder: string
  /** All that a turn may call once it has the skill; absent: no change. */
  readonly allowedTools?: readonly string[]
  readonly triggers?: SkillTriggers
  /** Its body is part of the system prompt. */
  readonly isAlways?: boolean
}

/** What says that a skill may be of use. */
export interface SkillTriggers {
  /** Words of the user. */
  readonly keywords?: readonly string[]
  /** Files that the user or a call names. */
  readonly paths?: readonly string[]
}

/** Why a folder is no skill, or not the one that is used, or not as it is. */
export interface SkillProblem {
  readonly code:
    | 'invalid-skill'
    | 'too-large'
    | 'outside-root'
    | 'unreadable'
    | 'shadowed'
    | 'too-many'
    | 'over-budget'
  readonly file: string
  readonly message: string
}
