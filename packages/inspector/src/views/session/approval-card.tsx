import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import { useAnswer } from '../../data/daemon-context.ts'
import type { ApprovalDetail } from '../../data/protocol.ts'
import { Answers } from '../approvals/decision/answers.tsx'
import { SealedCall } from '../approvals/decision/sealed-call.tsx'
import { useDecision } from '../approvals/decision/use-decision.ts'

interface ApprovalCardProps {
  readonly approvalId: string
}

/** What an agent asks to do, just as it will run, and a yes or a no to it. */
export function ApprovalCard({ approvalId }: ApprovalCardProps) {
  const { data: approval } = useAnswer('getApproval', { approvalId })
  if (approval === undefined || approval.state !== 'pending') return null
  return <OpenApproval approval={approval} />
}

function OpenApproval({ approval }: { readonly approval: ApprovalDetail }) {
  const decision = useDecision(approval)
  const { id: approvalId, tool } = approval
  return (
    <section
      aria-label={`Approval of ${tool}`}
      className="flex flex-col gap-3 border-t border-line bg-caution-soft/40 p-3"
    >
      <SealedCall approval={approval} />
      <Answers decision={decision} />
      <Link
        href={hrefOf('approval', { approvalId })}
        className="w-fit text-xs text-muted hover:text-ink hover:underline"
      >
        Open in approvals
      </Link>
    </section>
  )
}
