import type { Fact } from './fact.ts'

interface Rule {
  readonly pattern: RegExp
  /** Absent: the fact is about nothing in particular. */
  readonly subject?: string
}

// Only what somebody says outright of themselves, or asks to be kept.
const rules: readonly Rule[] = [
  { pattern: /\b(?:please )?remember (?:that |this: |: ?)\S/i },
  { pattern: /\b(?:my name is|call me) \p{Lu}/u, subject: 'user-name' },
  { pattern: /\bI (?:now )?live in \S/, subject: 'user-home' },
  { pattern: /\bI work (?:at|for|as) \S/, subject: 'user-work' },
  { pattern: /\bI(?:'m| am) allergic to \S/i, subject: 'user-allergy' },
  { pattern: /\bI (?:always |really )?(?:prefer|love|hate|like) \S/ },
  { pattern: /\bmy favou?rite \p{L}+ is \S/iu },
  { pattern: /\bmerk(?:e)? dir,? ?(?:bitte,? )?(?:dass |: ?)?\S/i },
  { pattern: /\bich heiße \S|\bmein Name ist \S/i, subject: 'user-name' },
  { pattern: /\bich wohne (?:jetzt )?in \S/i, subject: 'user-home' },
  { pattern: /\bich arbeite (?:bei|als|für) \S/i, subject: 'user-work' },
  { pattern: /\bich (?:mag|hasse|bevorzuge|vertrage) \S/i },
  { pattern: /\brecuerda que \S/i },
  { pattern: /\bme llamo \S|\bmi nombre es \S/i, subject: 'user-name' },
  { pattern: /\bvivo en \S/i, subject: 'user-home' },
  { pattern: /覚えて(?:おいて|ください|ね)/ },
  { pattern: /(?:私|僕|俺)の名前は.+です/, subject: 'user-name' },
  { pattern: /に住んで(?:い)?ます/, subject: 'user-home' },
]

/** The sentences in which a user says something to be kept, word for word. */
export function extractByRules(said: string): readonly Fact[] {
  return sentencesOf(said).flatMap((text): Fact[] => {
    const rule = rules.find(({ pattern }) => pattern.test(text))
    if (rule === undefined || /[?？]$/.test(text)) return []
    const { subject } = rule
    return [{ text, ...(subject !== undefined && { subject }) }]
  })
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}
