const causes: Readonly<Record<string, string>> = {
  threw: 'It threw an error',
  unavailable: 'Not run: what was to answer is not there',
  'timed-out': 'It missed its deadline',
  'invalid-answer': 'Its answer was not valid',
  'answer-not-allowed': 'It gave an answer that it may not give',
  'contribution-not-allowed': 'It contributed what it may not',
  'missing-capability': 'It lacks a right that its answer needs',
  'not-data': 'Its answer was not plain data',
  'too-deep': 'Its answer was nested too deep',
  'too-large': 'Its answer was too large',
  'matcher-threw': 'Its matcher threw an error',
  'needs-failed': 'A hook that it needs did not complete',
  quarantined: 'Not run: its breaker was open',
  recursion: 'It led to itself',
  'self-wait': 'It waited for itself',
}

/** Why a hook gave no valid answer, in words. */
export function causeText(code: string): string {
  return causes[code] ?? 'It failed'
}
