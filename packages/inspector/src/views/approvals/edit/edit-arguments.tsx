import { type SubmitEvent, useMemo, useState } from 'react'
import { useAnswer } from '../../../data/daemon-context.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import type { Decision } from '../decision/use-decision.ts'
import { checkArguments } from './check-arguments.ts'
import {
  type Field,
  fieldOf,
  isFields,
  isSame,
  type Json,
  type JsonFields,
} from './field-of.ts'
import { FormField } from './form-field.tsx'
import { JsonEditor } from './json-editor.tsx'
import { UnfinishedContext, useUnfinished } from './unfinished.ts'

interface EditArgumentsProps {
  readonly decision: Decision
  readonly onBack: () => void
}

/** Other arguments for a call: in a form of its schema, or as JSON. */
export function EditArguments({ decision, onBack }: EditArgumentsProps) {
  const { id: approvalId } = decision.approval
  const input = { approvalId, withArgs: true }
  const { data, error } = useAnswer('getApproval', input)
  const [begun, setBegun] = useState<Begun>()
  // The answer came as JSON.
  const args = data?.args as JsonFields | undefined
  if (begun === undefined && args !== undefined) {
    setBegun({ before: args, schema: data?.about?.inputSchema })
  }
  // What somebody writes outlives whatever is heard of it later.
  if (begun !== undefined) {
    return <Editor decision={decision} onBack={onBack} {...begun} />
  }
  if (error !== null) {
    return <ErrorState title="The arguments cannot be read" error={error} />
  }
  if (data === undefined) return null
  return (
    <p className="text-xs text-muted">
      The exact arguments are not kept any more, so that they cannot be changed.
      Approve or deny the call as it is.{' '}
      <Button look="quiet" size="small" onClick={onBack}>
        Back
      </Button>
    </p>
  )
}

/** What a form is made from. */
interface Begun {
  readonly before: JsonFields
  readonly schema: unknown
}

interface EditorProps extends EditArgumentsProps, Begun {}

function Editor({ decision, onBack, before, schema }: EditorProps) {
  const { answer, isBusy } = decision
  const field = useMemo(() => fieldOf(schema), [schema])
  const [isForm, setForm] = useState(field.kind === 'group')
  const [last, setLast] = useState<Json>(before)
  const [hasUnfinished, mark] = useUnfinished()
  const problems = problemsOf(field, last)
  const isChanged = !isSame(last, before)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isFields(last) || problems.length > 0 || hasUnfinished) return
    void answer({ type: 'edit', args: { ...last } })
  }
  return (
    <form
      onSubmit={submit}
      aria-label="Other arguments"
      data-draft=""
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onBack()
      }}
      className="flex flex-col gap-3 rounded-md border border-line bg-surface p-3"
    >
      <UnfinishedContext value={mark}>
        {isForm ? (
          <FormField label="" field={field} value={last} onChange={setLast} />
        ) : (
          <>
            {field.kind === 'json' && (
              <p className="text-xs text-muted">{whyNoForm(field, schema)}</p>
            )}
            <JsonEditor
              label="Arguments as JSON"
              value={last}
              onChange={setLast}
            />
          </>
        )}
      </UnfinishedContext>
      {problems.map(({ path, message }) => (
        <p key={path + message} role="alert" className="text-xs text-bad">
          {path}
          {path !== '' && ': '}
          {message}
        </p>
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look="primary"
          size="small"
          type="submit"
          isBusy={isBusy}
          disabled={!isChanged || hasUnfinished || problems.length > 0}
        >
          Use these arguments
        </Button>
        {field.kind === 'group' && !hasUnfinished && (
          <Button size="small" onClick={() => setForm(!isForm)}>
            {isForm ? 'As JSON' : 'As a form'}
          </Button>
        )}
        <Button look="quiet" size="small" onClick={onBack}>
          Back
        </Button>
        <span className="text-xs text-muted">
          Every hook judges the changed call anew, and it is asked about again.
        </span>
      </div>
    </form>
  )
}

function problemsOf(field: Field, value: Json) {
  if (!isFields(value)) {
    return [{ path: '', message: 'Arguments are an object.' }]
  }
  return field.kind === 'group' ? checkArguments(field, value) : []
}

function whyNoForm(
  { why }: Extract<Field, { kind: 'json' }>,
  schema: unknown,
): string {
  return schema === undefined
    ? 'No agent of this daemon has the tool now, so that there is no form; the daemon that runs it checks the arguments.'
    : `${why} There is no form for it.`
}
