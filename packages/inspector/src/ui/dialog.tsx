import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** The title is read out, not drawn. */
  readonly hasHiddenTitle?: boolean
  readonly className?: string
}

/**
 * The browser's own dialog: it keeps the focus, closes on Escape and gives the
 * focus back, and needs no style that is written into the page.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  hasHiddenTitle = false,
  className,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    if (!isOpen || dialog === null || dialog.open) return
    dialog.showModal()
    return () => dialog.close()
  }, [isOpen])
  if (!isOpen) return null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, which the browser does.
    <dialog
      ref={ref}
      aria-label={title}
      onClose={({ currentTarget }) => {
        // One that was taken away has been answered already.
        if (currentTarget.isConnected) onClose()
      }}
      onClick={(event) => {
        // What is behind the dialog is the dialog itself, but none of its parts.
        if (event.target === ref.current) onClose()
      }}
      className={classNames(
        'mx-auto mt-[12vh] max-h-[76vh] w-[calc(100vw-2rem)] max-w-xl animate-appear overflow-hidden rounded-lg bg-raised p-0 shadow-float backdrop:bg-[rgb(0_0_0/0.4)]',
        className,
      )}
    >
      <div className="flex max-h-[76vh] flex-col">
        {!hasHiddenTitle && (
          <header className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4">
            <h2 className="text-sm font-semibold">{title}</h2>
            {/* A tooltip would be drawn behind the dialog. */}
            <button
              type="button"
              aria-label="Close"
              onClick={onClose}
              className="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
            >
              <X aria-hidden="true" className="size-4" />
            </button>
          </header>
        )}
        {children}
      </div>
    </dialog>
  )
}
