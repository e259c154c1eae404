import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useAnswer, useDaemon } from '../../data/daemon-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Keys } from '../../ui/keys.tsx'
import {
  findCommands,
  listCommands,
  type PaletteCommand,
  searchCommands,
} from './commands.tsx'

interface CommandPaletteProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onShowKeys: () => void
}

/** Everything that can be gone to or done, by its name. */
export function CommandPalette(props: CommandPaletteProps) {
  const { isOpen, onClose } = props
  return (
    <Dialog
      title="Search and commands"
      isOpen={isOpen}
      onClose={onClose}
      hasHiddenTitle
    >
      {isOpen && <Palette {...props} />}
    </Dialog>
  )
}

const listId = 'palette-list'
const optionId = (at: number) => `palette-${at}`

function Palette({ onClose, onShowKeys }: CommandPaletteProps) {
  const { signOut } = useDaemon()
  const { data } = useAnswer('listSessions', { limit: 50 })
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const sessions = data?.items ?? []
  const all = listCommands({ sessions, signOut, onShowKeys })
  const found = [...findCommands(all, search), ...searchCommands(search)]
  const run = (command: PaletteCommand | undefined) => {
    if (command === undefined) return
    onClose()
    command.run()
  }
  useEffect(() => {
    document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((at + step + found.length) % Math.max(1, found.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(found[at])
    }
  }
  return (
    <>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden="true" className="size-4 text-faint" />
        <input
          // Whoever opens it wants to type.
          // biome-ignore lint/a11y/noAutofocus: see above.
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={optionId(at)}
          aria-label="Search and commands"
          placeholder="Where to, or what to do?"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={search}
          onChange={({ target }) => {
            setSearch(target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint"
        />
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label="Commands"
        className="min-h-0 overflow-y-auto p-2"
      >
        {found.map((command, index) => (
          <Option
            key={command.id}
            command={command}
            isFirst={found[index - 1]?.group !== command.group}
            index={index}
            isSelected={index === at}
            onPoint={() => setAt(index)}
            onRun={() => run(command)}
          />
        ))}
      </div>
    </>
  )
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

interface OptionProps {
  readonly command: PaletteCommand
  /** Of its group. */
  readonly isFirst: boolean
  readonly index: number
  readonly isSelected: boolean
  readonly onPoint: () => void
  readonly onRun: () => void
}

function Option(props: OptionProps) {
  const { command, isFirst, index, isSelected, onPoint, onRun } = props
  const { label, detail, icon, keys, group } = command
  return (
    <>
      {isFirst && (
        <div role="presentation" className="px-2 pt-2 pb-1 text-xs text-muted">
          {group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys. */}
      <div
        id={optionId(index)}
        role="option"
        aria-selected={isSelected}
        tabIndex={-1}
        onMouseMove={onPoint}
        onClick={onRun}
        className={classNames(
          'flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm [&_svg]:size-4 [&_svg]:text-muted',
          isSelected && 'bg-active',
        )}
      >
        {icon !== undefined && <span aria-hidden="true">{icon}</span>}
        <span className="truncate">
          <HostileText text={label} />
        </span>
        {detail !== undefined && (
          <span className="min-w-0 flex-1 truncate text-right text-xs text-muted">
            <HostileText text={detail} />
          </span>
        )}
        {keys !== undefined && (
          <span className="ml-auto max-sm:hidden">
            <Keys keys={keys} />
          </span>
        )}
      </div>
    </>
  )
}
