import { ArrowRight, CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { useIsShown } from '../../around/routes/use-is-shown.ts'
import { useAnswer, useDaemon, useRefresh } from '../../data/daemon-context.ts'
import type { InputOf } from '../../data/protocol.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { LoadingRows } from '../../ui/states.tsx'
import { PlansBeside } from './plans-beside.tsx'

/** What somebody wants of a hook. */
export interface HookChange {
  readonly name: string
  readonly isEnabled?: boolean
  readonly mode?: 'enforce' | 'evaluate'
}

interface PreviewDialogProps {
  readonly change: HookChange
  readonly agent: string | undefined
  readonly onClose: () => void
}

const hourMs = 3_600_000

const spans = [
  { value: '', label: 'Until somebody changes it' },
  { value: String(hourMs), label: 'For an hour' },
  { value: String(8 * hourMs), label: 'For 8 hours' },
  { value: String(7 * 24 * hourMs), label: 'For a week' },
] as const

/** The plan as it is beside what it would be; only then is it saved. */
export function PreviewDialog({ change, agent, onClose }: PreviewDialogProps) {
  const input = { ...change, ...(agent !== undefined && { agent }) }
  const { data, error } = useAnswer('previewHook', input)
  return (
    <Dialog
      title={titleOf(change)}
      isOpen
      onClose={onClose}
      className="sm:max-w-4xl"
    >
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto p-4">
        {error !== null && <Refusal message={error.message} />}
        {error === null && data === undefined && (
          <LoadingRows count={3} label="Looking at what would change" />
        )}
        {data !== undefined && error === null && <PlansBeside plans={data} />}
      </div>
      {/* What is written there outlives a look that fails. */}
      {(error === null || data !== undefined) && (
        <SaveBar
          change={change}
          isReady={data !== undefined && error === null}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

function titleOf({ name, isEnabled, mode }: HookChange): string {
  if (isEnabled !== undefined) return `Turn ${name} ${isEnabled ? 'on' : 'off'}`
  return mode === 'evaluate' ? `Only evaluate ${name}` : `Enforce ${name}`
}

function Refusal({ message }: { readonly message: string }) {
  return (
    <div role="alert" className="flex gap-3 rounded-md bg-bad-soft p-3">
      <CircleAlert
        aria-hidden="true"
        className="mt-0.5 size-4 shrink-0 text-bad"
      />
      <div className="min-w-0 text-sm">
        <p className="font-medium">This cannot be done</p>
        <p className="break-words text-muted">
          <HostileText text={message} />
        </p>
      </div>
    </div>
  )
}

interface SaveBarProps {
  readonly change: HookChange
  readonly isReady: boolean
  readonly onClose: () => void
}

function SaveBar({ change, isReady, onClose }: SaveBarProps) {
  const { data: info } = useAnswer('info', {})
  const isAdmin = info?.caller.rights.includes('admin') ?? false
  const [reason, setReason] = useState('')
  const [forMs, setForMs] = useState('')
  const { save, isBusy, problem } = useSave(onClose)
  const isNow = change.isEnabled === true
  const send = () =>
    save({
      ...change,
      ...(reason !== '' && { reason }),
      ...(forMs !== '' && { until: Date.now() + Number(forMs) }),
    })
  return (
    <footer className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line px-4 py-3">
      {!isNow && (
        <>
          <TextField
            label="Reason"
            placeholder="Why? It is kept in the audit log"
            maxLength={1_000}
            className="w-full sm:w-64"
            value={reason}
            disabled={!isAdmin}
            onChange={({ target }) => setReason(target.value)}
          />
          <SelectField
            label="For how long"
            value={forMs}
            choices={spans}
            disabled={!isAdmin}
            onChoose={setForMs}
          />
        </>
      )}
      {info !== undefined && !isAdmin && (
        <p className="text-xs text-muted">
          You may look. To save it takes the right “admin”.
        </p>
      )}
      {problem !== undefined && (
        <p role="alert" className="min-w-0 text-xs break-words text-bad">
          <HostileText text={problem} />
        </p>
      )}
      <span className="ml-auto flex gap-2">
        <Button size="small" look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          size="small"
          look="primary"
          isBusy={isBusy}
          disabled={!isAdmin || !isReady}
          icon={<ArrowRight className="size-3.5" />}
          onClick={() => void send()}
        >
          Save
        </Button>
      </span>
    </footer>
  )
}

/** Saves a change; what is drawn hears of it by what happens. */
function useSave(onSaved: () => void) {
  const { client } = useDaemon()
  const refresh = useRefresh()
  const isShown = useIsShown()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const save = async (change: InputOf<'setHook'>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { problem: notKept } = await client.setHook(change)
      await refresh()
      if (notKept === undefined) {
        if (isShown()) onSaved()
      } else setProblem(`It holds here, and is not kept yet: ${notKept}`)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'It failed.')
    } finally {
      setBusy(false)
    }
  }
  return { save, isBusy, problem }
}
