import { nearestName } from '../../data/nearest-name.ts'
import { events } from '../claude-code/events.ts'
import type { Finding } from '../finding.ts'
import { type JsonEntry, readJsonFile } from '../json-file.ts'

const groupKeys = ['matcher', 'hooks', 'description']
const handlerKeys = [
  'type',
  'command',
  'args',
  'shell',
  'async',
  'asyncRewake',
  'rewakeMessage',
  'rewakeSummary',
  'onFailure',
  'timeout',
  'statusMessage',
  'if',
  'once',
  'url',
  'headers',
  'allowedEnvVars',
  'server',
  'tool',
  'input',
  'prompt',
  'model',
  'continueOnBlock',
  'env',
  'description',
  'name',
]

/** Keys that nobody reads, with the one that was most likely meant. */
export function checkKeys(text: string, file: string): readonly Finding[] {
  const { root } = readJsonFile(text)
  if (root === undefined) return []
  const misplaced = [...root.members]
    .filter(([key]) => Object.hasOwn(events, key))
    .map(([key, entry]) => ({
      ...at(entry, file),
      severity: 'error' as const,
      code: 'misplaced-event',
      message: `The event "${key}" stands beside "hooks" and not in it, so that its hooks never run.`,
      suggestion: `{ "hooks": { "${key}": […] } }`,
    }))
  const groups = [
    ...(root.members.get('hooks')?.members.values() ?? []),
  ].flatMap(({ items }) => items)
  const handlers = groups.flatMap(
    (group) => group.members.get('hooks')?.items ?? [],
  )
  return [
    ...misplaced,
    ...groups.flatMap((group) => unknownIn(group, groupKeys, file)),
    ...handlers.flatMap((handler) => unknownIn(handler, handlerKeys, file)),
  ]
}

function unknownIn(
  { members }: JsonEntry,
  known: readonly string[],
  file: string,
): readonly Finding[] {
  return [...members]
    .filter(([key]) => !known.includes(key))
    .map(([key, entry]) => {
      const nearest = nearestName(key, known)
      return {
        ...at(entry, file),
        // Far from all that there is, it is most likely the author's own label.
        severity: nearest === undefined ? ('note' as const) : 'warning',
        code: 'unknown-key',
        message: `Nobody reads the key "${key}".`,
        ...(nearest !== undefined && {
          suggestion: `Did you mean "${nearest}"?`,
        }),
      }
    })
}

function at({ keyPlace }: JsonEntry, file: string) {
  return { file, place: keyPlace }
}
