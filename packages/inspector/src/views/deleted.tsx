import { Trash2 } from 'lucide-react'
import { hrefOf } from '../around/routes/addresses.ts'
import { Link } from '../around/routes/link.tsx'
import { EmptyState } from '../ui/states.tsx'

interface DeletedProps {
  readonly what: 'session' | 'turn' | 'approval'
}

const places = {
  session: ['All sessions', hrefOf('sessions')],
  turn: ['All sessions', hrefOf('sessions')],
  approval: ['All approvals', hrefOf('approvals')],
} as const

/** It was here a moment ago; whoever deletes something wants it out of sight. */
export function Deleted({ what }: DeletedProps) {
  const [words, href] = places[what]
  return (
    <div role="status">
      <EmptyState icon={<Trash2 />} title={`This ${what} was deleted`}>
        {what === 'session'
          ? 'Somebody has removed it, with all that was said and done in it.'
          : 'Somebody has removed its session, with all that was said and done in it.'}{' '}
        <Link href={href} className="text-accent hover:underline">
          {words}
        </Link>
      </EmptyState>
    </div>
  )
}
