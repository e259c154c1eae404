import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface MenuItem {
  readonly label: string
  readonly icon?: ReactNode
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
  readonly run: () => void
}

interface MenuProps {
  /** What opens it. */
  readonly children: ReactNode
  readonly items: readonly MenuItem[]
}

/** Not modal: what keeps a page from scrolling writes styles into it. */
export function Menu({ children, items }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 animate-appear rounded-md bg-raised p-1 shadow-float"
        >
          {items.map(({ label, icon, run, isDangerous, isDisabled }) => (
            <DropdownMenu.Item
              key={label}
              disabled={isDisabled === true}
              onSelect={run}
              className={classNames(
                'flex h-8 items-center gap-2 rounded-sm px-2 text-sm outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-3.5',
                isDangerous ? 'text-bad' : 'text-ink',
              )}
            >
              {icon}
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
