import {
  Activity,
  GitFork,
  HeartPulse,
  ListTree,
  MessagesSquare,
  ShieldCheck,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { hrefOf, type ViewName } from '../../around/routes/addresses.ts'

/** Where the navigation leads. */
export interface Destination {
  readonly label: string
  readonly href: string
  readonly icon: ReactNode
  /** The key that follows "g". */
  readonly key: string
  /** The views that belong to it. */
  readonly views: readonly ViewName[]
}

export const destinations: readonly Destination[] = [
  {
    label: 'Live',
    href: hrefOf('live'),
    icon: <Activity />,
    key: 'l',
    views: ['live'],
  },
  {
    label: 'Sessions',
    href: hrefOf('sessions'),
    icon: <MessagesSquare />,
    key: 's',
    views: ['sessions', 'session', 'turn'],
  },
  {
    label: 'Runs',
    href: hrefOf('runs'),
    icon: <ListTree />,
    key: 'r',
    views: ['runs', 'run', 'call'],
  },
  {
    label: 'Plans',
    href: hrefOf('plans'),
    icon: <GitFork />,
    key: 'p',
    views: ['plans', 'plan'],
  },
  {
    label: 'Approvals',
    href: hrefOf('approvals'),
    icon: <ShieldCheck />,
    key: 'a',
    views: ['approvals', 'approval'],
  },
  {
    label: 'Health',
    href: hrefOf('health'),
    icon: <HeartPulse />,
    key: 'h',
    views: ['health'],
  },
]
