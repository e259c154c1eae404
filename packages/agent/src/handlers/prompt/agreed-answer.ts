import type { HandlerCall } from '../handler.ts'
import type { Verdict, VerdictRules } from './read-verdict.ts'

type Decided = Exclude<Verdict, { problem: string }>

interface AgreementRules extends VerdictRules {
  readonly diagnose: HandlerCall['diagnose']
}

/** Answers that let happen what was judged. */
const lenient: ReadonlySet<string> = new Set([
  'proceed',
  'transform',
  'replace',
])

/**
 * The answer as text, in our own writing. One that lets something happen which
 * it calls a high risk contradicts itself: that is told, and where the two must
 * agree, a person decides, or nobody may.
 */
export function agreedAnswer(
  { answer, risk }: Decided,
  { form, run, mustAgree, diagnose }: AgreementRules,
): string {
  const { answer: given, contributions } = answer
  const isTorn = risk === 'high' && lenient.has(given.type)
  if (isTorn) {
    const message = `The model answered "${given.type}" and called the risk high.`
    diagnose('prompt-contradiction', message)
  }
  if (isTorn && mustAgree)
    return JSON.stringify({ ...stricter(form.types), run })
  // What is not allowed here would undo a refusal that it comes with.
  const allowed = contributions.filter(({ kind }) => form.kinds.includes(kind))
  return JSON.stringify({ ...given, run, contributions: allowed })
}

function stricter(types: readonly string[]) {
  if (types.includes('ask')) {
    const question =
      'A model would let this pass, but calls its risk high. Is it right?'
    return { type: 'ask', question }
  }
  const reason = 'A model would let this pass, but calls its risk high.'
  return { type: 'reject', reason }
}
