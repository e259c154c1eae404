import type { CommandEntry } from './command.ts'

const work = 'Work with agents:'
const people = 'Decide:'
const daemon = 'The daemon:'
const setup = 'Set up:'
const hooks = 'Hooks and records:'

/**
 * Every command, by name. This is loaded at every start, so it names files and
 * imports none: a new command is one entry here and one file.
 */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'run',
    group: work,
    summary: 'Have an agent do one thing, and see how it does it.',
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'chat',
    group: work,
    summary: 'Talk with an agent.',
    load: () => import('./commands/chat.ts'),
  },
  {
    name: 'sessions',
    group: work,
    summary: 'List, show, resume, cancel, close, delete or export sessions.',
    load: () => import('./commands/sessions.ts'),
  },
  {
    name: 'agents',
    group: work,
    summary: 'List agents, or show one.',
    load: () => import('./commands/agents.ts'),
  },
  {
    name: 'memory',
    group: work,
    summary: 'See what an agent remembers, and have it forget.',
    load: () => import('./commands/memory.ts'),
  },
  {
    name: 'skills',
    group: work,
    summary: 'List skills, and what is wrong with them.',
    load: () => import('./commands/skills.ts'),
  },
  {
    name: 'approvals',
    group: people,
    summary: 'See what agents ask to do, and answer.',
    load: () => import('./commands/approvals.ts'),
  },
  {
    name: 'questions',
    group: people,
    summary: 'See what agents want to know, and answer.',
    load: () => import('./commands/questions.ts'),
  },
  {
    name: 'hooks',
    group: hooks,
    summary: 'See, explain, switch, trust, check and try hooks.',
    load: () => import('./commands/hooks.ts'),
  },
  {
    name: 'runs',
    group: hooks,
    summary: 'See what hooks did, and why a call was allowed or denied.',
    load: () => import('./commands/runs.ts'),
  },
  {
    name: 'audit',
    group: hooks,
    summary: 'See what was done by whom, and that nothing was changed.',
    load: () => import('./commands/audit.ts'),
  },
  {
    name: 'bridge',
    group: hooks,
    summary: 'Answer as a hook of another product.',
    load: () => import('./commands/bridge.ts'),
  },
  {
    name: 'import',
    group: hooks,
    summary: 'Run the hook files of another product here.',
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'up',
    group: daemon,
    summary: 'Run the daemon, here, until it is told to stop.',
    load: () => import('./commands/up.ts'),
  },
  {
    name: 'down',
    group: daemon,
    summary: 'Stop the daemon; what runs may end first.',
    load: () => import('./commands/down.ts'),
  },
  {
    name: 'status',
    group: daemon,
    summary: 'Say whether the daemon runs, and what it does.',
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'open',
    group: daemon,
    summary: 'Show what happens in a browser: the inspector.',
    load: () => import('./commands/open.ts'),
  },
  {
    name: 'reload',
    group: daemon,
    summary: 'Have the daemon read its configuration again.',
    load: () => import('./commands/reload.ts'),
  },
  {
    name: 'logs',
    group: daemon,
    summary: 'Follow what happens in all sessions.',
    load: () => import('./commands/logs.ts'),
  },
  {
    name: 'principals',
    group: daemon,
    summary: 'Say who may ask the daemon for what.',
    load: () => import('./commands/principals.ts'),
  },
  {
    name: 'backup',
    group: daemon,
    summary: 'Copy everything that is kept into a file.',
    load: () => import('./commands/backup.ts'),
  },
  {
    name: 'restore',
    group: daemon,
    summary: 'Put a copy in the place of what is kept.',
    load: () => import('./commands/restore.ts'),
  },
  {
    name: 'demo',
    group: setup,
    summary: 'Play a story with real tools, in a folder of its own.',
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'init',
    group: setup,
    summary: 'Write a configuration and a first hook, explained.',
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'config',
    group: setup,
    summary: 'Check the configuration, or show what it comes to.',
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'doctor',
    group: setup,
    summary: 'Check everything that could keep hooks from working.',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'completion',
    group: setup,
    summary: 'Print a script that completes commands in a shell.',
    load: async () => {
      const { completionOf } = await import('./commands/completion.ts')
      return { command: completionOf(commandTable) }
    },
  },
]
