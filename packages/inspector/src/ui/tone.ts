/** What a colour means, everywhere the same. */
export type Tone =
  | 'neutral'
  /** It went on, was allowed, succeeded. */
  | 'good'
  /** It waits for somebody, or went on although something failed. */
  | 'caution'
  /** It was refused, or failed. */
  | 'bad'
  /** A hook changed or replaced something. */
  | 'changed'
  /** It runs, or was only noted. */
  | 'noted'

export const toneText: Readonly<Record<Tone, string>> = {
  neutral: 'text-muted',
  good: 'text-good',
  caution: 'text-caution',
  bad: 'text-bad',
  changed: 'text-changed',
  noted: 'text-noted',
}

export const toneSoft: Readonly<Record<Tone, string>> = {
  neutral: 'bg-hover text-muted',
  good: 'bg-good-soft text-good',
  caution: 'bg-caution-soft text-caution',
  bad: 'bg-bad-soft text-bad',
  changed: 'bg-changed-soft text-changed',
  noted: 'bg-noted-soft text-noted',
}

export const toneDot: Readonly<Record<Tone, string>> = {
  neutral: 'bg-faint',
  good: 'bg-good',
  caution: 'bg-caution-mark',
  bad: 'bg-bad',
  changed: 'bg-changed',
  noted: 'bg-noted',
}
