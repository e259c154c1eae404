import { type SubmitEvent, useState } from 'react'
import { useDaemon } from '../../data/daemon-context.ts'
import type { PendingQuestions } from '../../data/protocol.ts'
import { Button } from '../../ui/button.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { answersOf, type UserQuestion } from './answers-of.ts'

interface QuestionsCardProps {
  readonly asked: PendingQuestions
}

/** What an agent wants to know, and a place to say it. */
export function QuestionsCard({ asked }: QuestionsCardProps) {
  const { client } = useDaemon()
  const [problem, setProblem] = useState<string>()
  const { sessionId, callId, questions } = asked
  const tell = async (answers?: ReturnType<typeof answersOf>) => {
    try {
      const told = { sessionId, callId, ...(answers && { answers }) }
      const { problem: found } = await client.answerQuestions(told)
      setProblem(found)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void tell(answersOf(questions, new FormData(event.currentTarget)))
  }
  return (
    <form
      onSubmit={submit}
      aria-label="Questions of the agent"
      className="flex flex-col gap-4 rounded-lg border border-caution-mark bg-raised p-4"
    >
      {questions.map((question) => (
        <QuestionFields key={question.id} question={question} />
      ))}
      {problem !== undefined && (
        <p role="alert" className="text-xs text-bad">
          <HostileText text={problem} />
        </p>
      )}
      <div className="flex gap-2">
        <Button data-waits="" look="primary" size="small" type="submit">
          Answer
        </Button>
        <Button look="quiet" size="small" onClick={() => void tell()}>
          Dismiss
        </Button>
      </div>
    </form>
  )
}

function QuestionFields({ question }: { readonly question: UserQuestion }) {
  const { id, header, question: words, options = [] } = question
  const { multiSelect = false, allowText = false } = question
  // Without options there is nothing else to answer with.
  const hasText = allowText || options.length === 0
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-sm">
        <span className="block text-xs text-muted">
          <HostileText text={header} />
        </span>
        <span className="font-medium">
          <HostileText text={words} />
        </span>
      </legend>
      {options.map(({ label, description }) => (
        <label
          key={label}
          className="mt-1 flex items-start gap-2.5 rounded-md border border-line px-3 py-2 text-sm hover:bg-hover"
        >
          <input
            type={multiSelect ? 'checkbox' : 'radio'}
            name={`choice ${id}`}
            value={label}
            className="mt-1 accent-accent"
          />
          <span>
            <HostileText text={label} />
            {description !== undefined && (
              <span className="block text-xs text-muted">
                <HostileText text={description} />
              </span>
            )}
          </span>
        </label>
      ))}
      {hasText && (
        <textarea
          name={`text ${id}`}
          rows={2}
          aria-label={words}
          placeholder={options.length > 0 ? 'Or in your words' : 'Your answer'}
          className="mt-1 rounded-md border border-line bg-surface px-3 py-2 text-sm placeholder:text-faint"
        />
      )}
    </fieldset>
  )
}
