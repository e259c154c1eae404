import {
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useShortcuts } from '../../around/keyboard/shortcuts.ts'
import type { ViewName } from '../../around/routes/addresses.ts'
import { navigate, usePlace } from '../../around/routes/navigation.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { ViewAt } from '../view-at.tsx'
import { CommandPalette } from './command-palette.tsx'
import { DisconnectedBanner } from './connection-note.tsx'
import { destinations } from './destinations.tsx'
import { BottomBar, SideBar } from './navigation.tsx'
import { ShortcutList } from './shortcut-list.tsx'
import { useWaiting } from './use-waiting.ts'

type Overlay = 'palette' | 'shortcuts'

interface ShellProps {
  /** Across the top, above everything. */
  readonly note?: ReactNode
}

/** Everything around a view. */
export function Shell({ note }: ShellProps) {
  const place = usePlace()
  const waiting = useWaiting()
  const [overlay, setOverlay] = useState<Overlay>()
  const close = () => setOverlay(undefined)
  const main = useRef<HTMLElement>(null)
  useShortcuts([
    {
      keys: 'mod+k',
      about: 'Search and commands',
      group: 'Everywhere',
      whileTyping: true,
      run: () => setOverlay(overlay === 'palette' ? undefined : 'palette'),
    },
    {
      keys: '?',
      about: 'All keys',
      group: 'Everywhere',
      run: () => setOverlay('shortcuts'),
    },
    ...destinations.map(({ label, href, key }) => ({
      keys: `g ${key}`,
      about: label,
      group: 'Go to' as const,
      run: () => navigate(href),
    })),
  ])
  return (
    <div className="flex h-full flex-col">
      <button
        type="button"
        onClick={() => main.current?.focus()}
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2 focus:shadow-float"
      >
        Skip to the view
      </button>
      {note}
      <DisconnectedBanner />
      <div className="flex min-h-0 flex-1">
        <SideBar
          view={place?.view}
          waiting={waiting}
          onSearch={() => setOverlay('palette')}
        />
        <main
          ref={main}
          tabIndex={-1}
          aria-label={labelOf(place?.view)}
          className="min-w-0 flex-1 bg-surface outline-none"
        >
          <ErrorBoundary name={place?.view}>
            <Suspense fallback={<Waiting />}>
              <ViewAt place={place} />
              <Arrival main={main} view={place?.view} />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <BottomBar
        view={place?.view}
        waiting={waiting}
        onSearch={() => setOverlay('palette')}
      />
      <CommandPalette
        isOpen={overlay === 'palette'}
        onClose={close}
        onShowKeys={() => setOverlay('shortcuts')}
      />
      <ShortcutList isOpen={overlay === 'shortcuts'} onClose={close} />
    </div>
  )
}

/** What a view is called, for whoever hears that they are there now. */
function labelOf(view: ViewName | undefined): string {
  if (view === 'settings') return 'Settings'
  const found = destinations.find(
    ({ views }) => view !== undefined && views.includes(view),
  )
  return found?.label ?? 'Not found'
}

interface ArrivalProps {
  readonly main: RefObject<HTMLElement | null>
  readonly view: ViewName | undefined
}

/** What had the focus may be gone with its view; the next one has it then. */
function Arrival({ main, view }: ArrivalProps) {
  const last = useRef(view)
  useEffect(() => {
    if (last.current === view) return
    last.current = view
    const { activeElement, body } = document
    if (activeElement === null || activeElement === body) main.current?.focus()
  }, [main, view])
  return null
}

function Waiting() {
  return (
    <div
      role="status"
      aria-label="Loading the view"
      className="flex h-full animate-late items-center justify-center text-faint"
    >
      <Spinner />
    </div>
  )
}
