import type { Capability } from '../capability.ts'
import { events as claudeEvents } from '../claude-code/events.ts'
import { capabilities as codexCan } from '../codex/capabilities.ts'
import { moments as codexMoments } from '../codex/moments.ts'
import { capabilities as copilotCan } from '../copilot/capabilities.ts'
import { moments as copilotMoments, ownNameOf } from '../copilot/moments.ts'
import { vocabulary as copilotWords } from '../copilot/vocabulary.ts'
import { capabilities as cursorCan } from '../cursor/capabilities.ts'
import { moments as cursorMoments } from '../cursor/moments.ts'
import { vocabulary as cursorWords } from '../cursor/vocabulary.ts'
import type { DialectName } from '../dialect.ts'
import { capabilities as geminiCan } from '../gemini/capabilities.ts'
import { moments as geminiMoments } from '../gemini/moments.ts'
import { vocabulary as geminiWords } from '../gemini/vocabulary.ts'
import type { MomentKind } from '../moment.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { capabilities as vsCodeCan } from '../vs-code/capabilities.ts'
import { moments as vsCodeMoments } from '../vs-code/moments.ts'
import { vocabulary as vsCodeWords } from '../vs-code/vocabulary.ts'

/** What a product that we are a hook of tells, and what it can honour. */
interface Product {
  readonly moments: Readonly<Record<string, readonly MomentKind[]>>
  readonly can: (event: string) => readonly Capability[]
  readonly words: Vocabulary
}

const plain: Vocabulary = {
  tools: {},
  args: {},
  mcp: (server, tool) => `mcp__${server}__${tool}`,
}

export const products: Readonly<Record<DialectName, Product>> = {
  'claude-code': {
    moments: Object.fromEntries(
      Object.entries(claudeEvents).map(([event, { moments }]) => [
        event,
        moments,
      ]),
    ),
    can: (event) => own(claudeEvents, event)?.can ?? [],
    words: plain,
  },
  codex: {
    moments: codexMoments,
    can: (event) => own(codexCan, event) ?? [],
    words: plain,
  },
  gemini: {
    moments: geminiMoments,
    can: (event) => own(geminiCan, event) ?? [],
    words: geminiWords,
  },
  cursor: {
    moments: cursorMoments,
    can: (event) => own(cursorCan, event) ?? [],
    words: cursorWords,
  },
  copilot: {
    moments: copilotMoments,
    can: (event) => own(copilotCan, ownNameOf(event)) ?? [],
    words: copilotWords,
  },
  'vs-code': {
    moments: vsCodeMoments,
    can: (event) => own(vsCodeCan, event) ?? [],
    words: vsCodeWords,
  },
}

/** What a product honours at an event, if it has such an event. */
export function capabilitiesOf(
  dialect: DialectName,
  event: string,
): readonly Capability[] {
  return products[dialect].can(event)
}

/** What an event of a product is here; absent: nothing. */
export function kindOf(
  dialect: DialectName,
  event: string,
): MomentKind | undefined {
  const kind = own(products[dialect].moments, event)?.[0]
  // Before the same call BeforeModel has asked already.
  if (event === 'BeforeToolSelection') return undefined
  return kind === undefined || unheard.has(kind) ? undefined : kind
}

/** Where no product listens to what a hook says. */
const unheard: ReadonlySet<MomentKind> = new Set<MomentKind>([
  'notification',
  'permission-denied',
  'turn-error',
  'turn-cancelled',
])

function own<T>(from: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(from, key) ? from[key] : undefined
}
