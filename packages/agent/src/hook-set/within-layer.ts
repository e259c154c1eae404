import type { Hook, Question } from 'hookline'
import { permissionRequest } from 'hookline/lifecycle'

/** What a managed hook asks is for people to answer, or for what is managed. */
export function isManagedQuestion(
  questions: readonly Question[],
  managed: ReadonlySet<string>,
): boolean {
  return questions.some(({ by }) => managed.has(by))
}

/** A hook of a lower layer, whose "allow" answers no such question. */
export function withinLayer(hook: Hook, managed: ReadonlySet<string>): Hook {
  if (hook.on.name !== permissionRequest.name) return hook
  return {
    ...hook,
    async run(input, context) {
      const answer = await hook.run(input, context)
      const isAllowed =
        answer?.type === 'respond' && Object(answer.output).type === 'allow'
      const { questions = [] } = Object(input)
      if (!isAllowed || !isManagedQuestion(questions, managed)) return answer
      const message = `"${hook.name}" allows the call, but a managed hook asks about it.`
      context.diagnose('not-honoured', message)
      return { type: 'proceed' }
    },
  }
}
