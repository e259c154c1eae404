import type { Dialect, DialectName } from './dialect.ts'

/** A dialect, loaded when it is first needed. */
export async function loadDialect(name: DialectName): Promise<Dialect> {
  switch (name) {
    case 'claude-code':
      return (await import('./claude-code/claude-code.ts')).claudeCode
    case 'codex':
      return (await import('./codex/codex.ts')).codex
    case 'gemini':
      return (await import('./gemini/gemini.ts')).gemini
    case 'cursor':
      return (await import('./cursor/cursor.ts')).cursor
    case 'copilot':
      return (await import('./copilot/copilot.ts')).copilot
    case 'vs-code':
      return (await import('./vs-code/vs-code.ts')).vsCode
  }
}
