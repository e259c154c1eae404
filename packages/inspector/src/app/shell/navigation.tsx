import { Ellipsis, Search, Settings } from 'lucide-react'
import { hrefOf, type ViewName } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Keys } from '../../ui/keys.tsx'
import { ConnectionNote } from './connection-note.tsx'
import { type Destination, destinations } from './destinations.tsx'
import { Mark } from './mark.tsx'

interface NavigationProps {
  readonly view: ViewName | undefined
  readonly waiting: number
  readonly onSearch: () => void
}

/** On the left of wide screens. */
export function SideBar({ view, waiting, onSearch }: NavigationProps) {
  return (
    <div className="hidden w-56 shrink-0 flex-col border-r border-line bg-sunken md:flex">
      <div className="flex h-12 items-center gap-2.5 px-4">
        <Mark />
        <span className="text-sm font-semibold">Hookline</span>
      </div>
      <div className="px-2 pb-2">
        <button
          type="button"
          onClick={onSearch}
          className="flex h-8 w-full items-center gap-2 rounded-md border border-line bg-surface px-2 text-sm text-muted hover:border-line-strong"
        >
          <Search aria-hidden="true" className="size-3.5" />
          <span className="flex-1 text-left">Search</span>
          <Keys keys="mod+k" />
        </button>
      </div>
      <nav aria-label="Views" className="flex flex-col gap-0.5 px-2">
        {destinations.map((one) => (
          <SideLink
            key={one.label}
            destination={one}
            isCurrent={view !== undefined && one.views.includes(view)}
            count={one.label === 'Approvals' ? waiting : 0}
          />
        ))}
      </nav>
      <div className="mt-auto flex flex-col gap-1 border-t border-line p-2">
        <ConnectionNote />
        <Link
          href={hrefOf('settings')}
          aria-current={view === 'settings' ? 'page' : undefined}
          className={linkLook(view === 'settings')}
        >
          <Settings aria-hidden="true" />
          Settings
        </Link>
      </div>
    </div>
  )
}

interface SideLinkProps {
  readonly destination: Destination
  readonly isCurrent: boolean
  readonly count: number
}

function linkLook(isCurrent: boolean): string {
  return classNames(
    'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm transition-colors [&_svg]:size-4',
    isCurrent
      ? 'bg-active font-medium text-ink'
      : 'text-muted hover:bg-hover hover:text-ink',
  )
}

function SideLink({ destination, isCurrent, count }: SideLinkProps) {
  const { label, href, icon } = destination
  return (
    <Link
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      className={linkLook(isCurrent)}
    >
      <span aria-hidden="true">{icon}</span>
      <span className="flex-1">{label}</span>
      {count > 0 && <WaitingCount count={count} />}
    </Link>
  )
}

function WaitingCount({ count }: { readonly count: number }) {
  return (
    <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-caution-soft px-1.5 text-2xs font-semibold text-caution">
      {count > 99 ? '99+' : count}
      <span className="sr-only"> waiting</span>
    </span>
  )
}

const thumbLook =
  'relative flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-2xs [&_svg]:size-5'

/** There is room for these; the rest is behind "More". */
function isOnPhones({ label }: Destination): boolean {
  return ['Live', 'Sessions', 'Runs', 'Approvals'].includes(label)
}

/** At the bottom of phones, where thumbs are. */
export function BottomBar({ view, waiting, onSearch }: NavigationProps) {
  return (
    <nav
      aria-label="Views"
      className="flex shrink-0 border-t border-line bg-sunken pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {destinations.filter(isOnPhones).map(({ label, href, icon, views }) => {
        const isCurrent = view !== undefined && views.includes(view)
        return (
          <Link
            key={label}
            href={href}
            aria-current={isCurrent ? 'page' : undefined}
            className={classNames(
              thumbLook,
              isCurrent ? 'font-medium text-accent' : 'text-muted',
            )}
          >
            <span aria-hidden="true">{icon}</span>
            <span className="max-w-full truncate">{label}</span>
            {label === 'Approvals' && waiting > 0 && (
              <span className="absolute top-1 left-1/2 ml-1">
                <WaitingCount count={waiting} />
              </span>
            )}
          </Link>
        )
      })}
      <button
        type="button"
        onClick={onSearch}
        className={classNames(thumbLook, 'text-muted')}
      >
        <Ellipsis aria-hidden="true" />
        More
      </button>
    </nav>
  )
}
