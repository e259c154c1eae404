import {
  CircleHelp,
  LogOut,
  MessageSquarePlus,
  MessagesSquare,
  Monitor,
  Moon,
  Search,
  Settings,
  Sun,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { hrefOf } from '../../around/routes/addresses.ts'
import { navigate } from '../../around/routes/navigation.ts'
import { setTheme } from '../../around/theme/theme.ts'
import type { Session } from '../../data/protocol.ts'
import { destinations } from './destinations.tsx'

/** Something the palette can do. */
export interface PaletteCommand {
  readonly id: string
  readonly label: string
  readonly detail?: string
  readonly group: string
  readonly icon?: ReactNode
  readonly keys?: string
  readonly run: () => void
}

interface CommandParts {
  readonly sessions: readonly Session[]
  readonly signOut: () => void
  readonly onShowKeys: () => void
}

export function listCommands(parts: CommandParts): readonly PaletteCommand[] {
  return [
    ...destinations.map(({ label, href, icon, key }) => ({
      id: href,
      label,
      group: 'Go to',
      icon,
      keys: `g ${key}`,
      run: () => navigate(href),
    })),
    {
      id: 'new-session',
      label: 'New session',
      group: 'Do',
      icon: <MessageSquarePlus />,
      run: () => navigate(hrefOf('live')),
    },
    {
      id: 'settings',
      label: 'Settings',
      group: 'Do',
      icon: <Settings />,
      run: () => navigate(hrefOf('settings')),
    },
    {
      id: 'theme-light',
      label: 'Light theme',
      group: 'Do',
      icon: <Sun />,
      run: () => setTheme('light'),
    },
    {
      id: 'theme-dark',
      label: 'Dark theme',
      group: 'Do',
      icon: <Moon />,
      run: () => setTheme('dark'),
    },
    {
      id: 'theme-system',
      label: 'Theme of the system',
      group: 'Do',
      icon: <Monitor />,
      run: () => setTheme('system'),
    },
    {
      id: 'keys',
      label: 'Show all keys',
      group: 'Do',
      icon: <CircleHelp />,
      keys: '?',
      run: parts.onShowKeys,
    },
    {
      id: 'sign-out',
      label: 'Sign out',
      group: 'Do',
      icon: <LogOut />,
      run: parts.signOut,
    },
    ...parts.sessions.map(({ id, agent, title }) => ({
      id: `session ${id}`,
      label: title ?? id,
      detail: title === null ? agent : `${agent} · ${id}`,
      group: 'Sessions',
      icon: <MessagesSquare />,
      run: () => navigate(hrefOf('session', { sessionId: id })),
    })),
  ]
}

/** Lists that can be looked through for the same words. */
export function searchCommands(search: string): readonly PaletteCommand[] {
  const words = search.trim()
  if (words === '') return []
  return (['sessions', 'runs'] as const).map((view) => ({
    id: `search ${view}`,
    label: `Search ${view} for “${words}”`,
    group: 'Search',
    icon: <Search />,
    run: () => navigate(hrefOf(view, { search: words })),
  }))
}

/** Those that have all the words, in any order. */
export function findCommands(
  commands: readonly PaletteCommand[],
  search: string,
): readonly PaletteCommand[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ label, detail = '', group }) => {
    const text = `${label} ${detail} ${group}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
