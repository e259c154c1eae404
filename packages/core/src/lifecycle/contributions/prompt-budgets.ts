/** Code points that hooks may write, where nobody says otherwise. */
export const promptBudgets = {
  /** All sections of a prompt together. */
  section: 16_000,
  /** All entries of one moment together: a session, or a phase of a prompt. */
  context: 12_000,
} as const
