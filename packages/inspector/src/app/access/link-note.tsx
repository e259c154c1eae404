import { Button } from '../../ui/button.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'

interface LinkNoteProps {
  readonly problem: string
  readonly onClose: () => void
}

/** A link led nobody in; whoever was here still is. */
export function LinkNote({ problem, onClose }: LinkNoteProps) {
  return (
    <div
      role="alert"
      className="flex shrink-0 items-center gap-3 bg-caution-soft px-4 py-1.5 text-xs text-caution"
    >
      <p className="min-w-0 flex-1">
        The link did not sign you in; you are still here as before.{' '}
        <HostileText text={problem} />
      </p>
      <Button size="small" onClick={onClose}>
        Close
      </Button>
    </div>
  )
}
