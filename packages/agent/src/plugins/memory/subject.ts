const maxSubjectChars = 80

/** One way to write what a fact is about: `Home city` is `home-city`. */
export function subjectOf(text: string): string | undefined {
  const subject = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, maxSubjectChars)
    .replace(/^-+|-+$/g, '')
  return subject === '' ? undefined : subject
}
