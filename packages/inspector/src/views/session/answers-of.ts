import type { InputOf, PendingQuestions } from '../../data/protocol.ts'

export type UserQuestion = PendingQuestions['questions'][number]

type Answers = NonNullable<InputOf<'answerQuestions'>['answers']>

/** What was chosen and written in a form. */
export function answersOf(
  questions: readonly UserQuestion[],
  form: FormData,
): Answers {
  return questions.map(({ id }) => {
    const selected = form.getAll(`choice ${id}`).map(String)
    const said = form.get(`text ${id}`)
    const text = typeof said === 'string' ? said.trim() : ''
    return {
      id,
      ...(selected.length > 0 && { selected }),
      ...(text !== '' && { text }),
    }
  })
}
