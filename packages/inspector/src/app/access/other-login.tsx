import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'

interface OtherLoginDialogProps {
  readonly here: string
  readonly other: string
  readonly onStay: () => void
  readonly onSwitch: () => void
}

/** Asks before a link makes somebody act in another name. */
export function OtherLoginDialog({
  here,
  other,
  onStay,
  onSwitch,
}: OtherLoginDialogProps) {
  return (
    <Dialog title="This link is of somebody else" isOpen onClose={onStay}>
      <div className="p-4 text-sm">
        <p>
          You are here as{' '}
          <strong>
            <HostileText text={here} />
          </strong>
          ; the link signs this tab in as{' '}
          <strong>
            <HostileText text={other} />
          </strong>
          .
        </p>
        <p className="mt-2 text-muted">
          What you do then is done and recorded in that name. Go on only if you
          asked for the link yourself.
        </p>
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          <Button onClick={onSwitch}>
            Continue as <HostileText text={other} />
          </Button>
          <Button look="primary" onClick={onStay}>
            Stay <HostileText text={here} />
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
