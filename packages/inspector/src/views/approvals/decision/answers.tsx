import { ChevronDown } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { canLast } from '../../../data/protocol.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { HostileText } from '../../../ui/hostile-text.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { EditArguments } from '../edit/edit-arguments.tsx'
import { Expiry } from './expiry.tsx'
import { LiftedDenials } from './lifted-denials.tsx'
import type { Decision } from './use-decision.ts'

interface AnswersProps {
  readonly decision: Decision
}

/** A yes, a no, or something else: whatever may be said to a question. */
export function Answers({ decision }: AnswersProps) {
  const { approval, problem, note } = decision
  const { refusal, votes, approvers } = approval
  return (
    <div className="flex flex-col gap-2">
      {approvers > 1 && (
        <p className="text-xs text-muted">
          {approvers} people have to agree; {votes}{' '}
          {votes === 1 ? 'has' : 'have'} so far.
        </p>
      )}
      {refusal !== undefined && <Refusal decision={decision} />}
      <Step decision={decision} />
      {note !== undefined && (
        <p role="status" className="text-xs text-good">
          {note}
        </p>
      )}
      {problem !== undefined && (
        <p role="alert" className="text-xs text-bad">
          <HostileText text={problem} />
        </p>
      )}
    </div>
  )
}

/** Why a yes of this person would not count. */
function Refusal({ decision: { approval } }: AnswersProps) {
  const { refusal, requestedBy } = approval
  const isOwn = refusal?.code === 'own-question'
  return (
    <p className="text-xs text-muted">
      {isOwn ? (
        <>
          You asked for this yourself, as{' '}
          <span className="font-medium text-ink">
            <HostileText text={requestedBy.join(', ')} />
          </span>
          : somebody else has to agree. You can still deny it.
        </>
      ) : (
        <>
          You do not have the right to answer this; somebody with the right to
          approve can. Rights are given with{' '}
          <code className="font-mono">hookline principals</code>.
        </>
      )}
    </p>
  )
}

function Step({ decision }: AnswersProps) {
  const { step, setStep, approval } = decision
  const back = () => setStep({ type: 'choose' })
  if (step.type === 'deny') return <Denial decision={decision} onBack={back} />
  if (step.type === 'edit') {
    return <EditArguments decision={decision} onBack={back} />
  }
  if (step.type === 'confirm') {
    return <Confirmation decision={decision} onBack={back} />
  }
  return approval.refusal?.code === 'no-right' ? (
    <Expiry at={approval.expiresAt} />
  ) : (
    <Choices decision={decision} />
  )
}

function Choices({ decision }: AnswersProps) {
  const { approval, isBusy, isRead, propose, setStep } = decision
  const mayAllow = approval.refusal === undefined
  // A second click was meant for what was there before. It is not worth a
  // change of colours.
  const whenRead = (run: () => void) => ({
    'aria-disabled': !isRead || undefined,
    onClick: () => {
      if (isRead) run()
    },
  })
  return (
    <div className="flex flex-wrap items-center gap-2">
      {mayAllow && (
        <>
          <span className="flex items-center">
            <Button
              data-waits=""
              look="primary"
              size="small"
              isBusy={isBusy}
              {...whenRead(() => propose({ type: 'allow', lasts: 'once' }))}
            >
              Approve
            </Button>
            {canLast(approval) && <LongerMenu decision={decision} />}
          </span>
          <Button
            size="small"
            disabled={isBusy}
            {...whenRead(() => setStep({ type: 'edit' }))}
          >
            Modify
          </Button>
        </>
      )}
      <Button
        look="danger"
        size="small"
        disabled={isBusy}
        {...whenRead(() => setStep({ type: 'deny' }))}
      >
        Deny
      </Button>
      <Expiry at={approval.expiresAt} className="ml-auto" />
    </div>
  )
}

function LongerMenu({ decision: { propose, approval } }: AnswersProps) {
  const { tool } = approval
  return (
    <Menu
      items={[
        {
          label: 'Approve for this session',
          run: () => propose({ type: 'allow', lasts: 'session' }),
        },
        {
          label: `Any ${tool.slice(0, 40)} in this session`,
          run: () =>
            propose({ type: 'allow', lasts: 'session', covers: 'tool' }),
        },
        {
          label: 'Approve always',
          run: () => propose({ type: 'allow', lasts: 'always' }),
        },
      ]}
    >
      <IconButton
        label="Approve for longer"
        icon={<ChevronDown />}
        className="ml-1 size-7! border border-line-strong bg-raised"
      />
    </Menu>
  )
}

interface StepProps extends AnswersProps {
  readonly onBack: () => void
}

function Confirmation({ decision, onBack }: StepProps) {
  const { step, answer, isBusy, approval } = decision
  const isForMany = step.type === 'confirm' && step.reply.covers === 'tool'
  const [isKnown, setKnown] = useState(!isForMany)
  if (step.type !== 'confirm') return null
  const { reply, why } = step
  const words = {
    once: '',
    session: isForMany ? ' all of them' : ' for the session',
    always: ' always',
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields.
    <div
      role="group"
      aria-label="Once more"
      className="flex flex-wrap items-center gap-2"
    >
      <p className="w-full text-sm">{why} An answer cannot be taken back.</p>
      {isForMany && (
        <LiftedDenials approval={approval} onKnown={() => setKnown(true)} />
      )}
      <Button
        // Whoever came by the keyboard goes on with Enter.
        autoFocus
        look="primary"
        size="small"
        isBusy={isBusy}
        // Not before it is known what else it allows.
        aria-disabled={!isKnown || undefined}
        className="aria-disabled:opacity-50"
        onClick={() => {
          if (isKnown) void answer(reply)
        }}
      >
        Yes, approve{words[reply.lasts ?? 'once']}
      </Button>
      <Button look="quiet" size="small" onClick={onBack}>
        Back
      </Button>
    </div>
  )
}

function Denial({ decision: { answer, isBusy }, onBack }: StepProps) {
  const [reason, setReason] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const words = reason.trim()
    void answer({ type: 'deny', ...(words !== '' && { reason: words }) })
  }
  return (
    <form
      onSubmit={submit}
      data-draft=""
      className="flex flex-wrap items-center gap-2"
    >
      <TextField
        // Whoever denies is asked for the reason next.
        autoFocus
        label="Why not"
        placeholder="Why not? The agent is told."
        className="min-w-40 flex-1"
        maxLength={4_000}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onBack()
        }}
      />
      <Button look="danger" size="small" type="submit" isBusy={isBusy}>
        Deny
      </Button>
      <Button look="quiet" size="small" onClick={onBack}>
        Back
      </Button>
    </form>
  )
}
