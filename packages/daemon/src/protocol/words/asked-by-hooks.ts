interface Asked {
  readonly questions: readonly { readonly by: string }[]
}

/**
 * The hooks that want a call to be asked about. A yes that lasts lifts the
 * question of the policy; they ask again, for they judge each call anew.
 */
export function askedByHooks({ questions }: Asked): readonly string[] {
  const names = questions.map(({ by }) => by)
  // Those that somebody may not see have one name.
  return [...new Set(names)].filter((by) => by !== 'policy')
}

/** Whether a yes that lasts would spare anybody a question. */
export function canLast({ questions }: Asked): boolean {
  return questions.some(({ by }) => by === 'policy')
}
