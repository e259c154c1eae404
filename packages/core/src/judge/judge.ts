import type { Judge } from '../engine/index.ts'
import { checkAnswer } from './check-answer.ts'
import { cleanText } from './clean-text.ts'
import { sealContribution } from './seal-contribution.ts'

const maxDiagnosticChars = 512

/** Judges what hooks hand in by what their points and kinds declare. */
export const plainJudge: Judge = {
  answer: checkAnswer,
  contribution: sealContribution,
  diagnostic: (code, message, safeForUser) => ({
    code: cleanText(code, maxDiagnosticChars),
    message: cleanText(message, maxDiagnosticChars),
    safeForUser,
  }),
}
