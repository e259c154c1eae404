import type { JsonObject, PointName } from 'hookline/lifecycle'
import { nearestName } from '../data/nearest-name.ts'
import type {
  DialectName,
  ForeignHandler,
  ForeignHook,
  HookFile,
  Source,
} from './dialect.ts'
import type { Finding, Place } from './finding.ts'
import { type JsonEntry, readJsonFile } from './json-file.ts'
import { isObject } from './printed.ts'

/** How the hook files of a product are written. */
export interface FileRules {
  readonly dialect: DialectName
  readonly events: Readonly<Record<string, readonly PointName[]>>
  /** Entries stand in groups with a matcher, or by themselves, or as they like. */
  readonly layout: 'groups' | 'flat' | 'either'
  /** Keys beside the hooks that are settings about them. */
  readonly settings: readonly string[]
  /** Keys under `hooks` that are no events. */
  readonly notEvents?: readonly string[]
  /** The handler, or what is wrong with the entry as the end of a sentence. */
  handler(entry: JsonObject): ForeignHandler | string
  timeoutMs(entry: JsonObject): number | undefined
  /** What will surprise the author of an entry that can be read. */
  check?(entry: JsonObject, event: string): readonly Surprise[]
}

export interface Surprise {
  readonly severity: Finding['severity']
  readonly code: string
  readonly message: string
  readonly suggestion?: string
}

/** Reads a file of JSON; what is wrong with an entry leaves the others alone. */
export function readHooksFile(
  text: string,
  source: Source,
  rules: FileRules,
): HookFile {
  const { root, problems } = readJsonFile(text)
  const found: Finding[] = problems.map(({ code, message, place }) => ({
    severity: code === 'duplicate-key' ? 'warning' : 'error',
    code,
    message,
    place,
    file: source.file,
  }))
  const isBroken = found.some(({ severity }) => severity === 'error')
  if (root === undefined || isBroken) {
    return { source, hooks: [], findings: found, settings: {} }
  }
  return readHooks(root, { source, rules, findings: found })
}

interface Reading {
  readonly source: Source
  readonly rules: FileRules
  readonly findings: Finding[]
}

/** The same with a file that has been read already. */
export function readHooks(root: JsonEntry, reading: Reading): HookFile {
  const { source, rules, findings } = reading
  const hooks = root.members.get('hooks')
  const settings = settingsOf(root, rules)
  const none = { source, hooks: [], findings, settings }
  if (!isObject(root.value)) {
    tell(reading, root.place, notAnObject('The file is not an object.'))
    return none
  }
  if (hooks === undefined) return none
  if (!isObject(hooks.value)) {
    const message = '"hooks" is not an object of events.'
    tell(reading, hooks.place, notAnObject(message))
    return none
  }
  const skipped = [...rules.settings, ...(rules.notEvents ?? [])]
  const found = [...hooks.members]
    .filter(([event]) => !skipped.includes(event))
    .flatMap(([event, list]) => readEvent(event, list, reading))
  return { source, hooks: found, findings, settings }
}

function settingsOf(root: JsonEntry, { settings }: FileRules): JsonObject {
  const inner = root.members.get('hooks')?.members
  const entries = settings.flatMap((key) => {
    const entry = root.members.get(key) ?? inner?.get(key)
    return entry === undefined ? [] : [[key, entry.value] as const]
  })
  return Object.fromEntries(entries)
}

function readEvent(
  event: string,
  list: JsonEntry,
  reading: Reading,
): readonly ForeignHook[] {
  const { events } = reading.rules
  const points = Object.hasOwn(events, event) ? events[event] : undefined
  if (points === undefined) {
    const nearest = nearestName(event, Object.keys(events))
    const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
    tell(reading, list.keyPlace, {
      severity: 'error',
      code: 'unknown-event',
      message: `There is no event "${event}", so that its hooks never run.${hint}`,
    })
    return []
  }
  if (points.length === 0) {
    tell(reading, list.keyPlace, {
      severity: 'warning',
      code: 'never-fires',
      message: `The event "${event}" has no point here, so that its hooks never run.`,
    })
  }
  if (!Array.isArray(list.value)) {
    tell(reading, list.place, wrongShape(`"${event}" is not a list.`))
    return []
  }
  return list.items.flatMap((item, index) =>
    readItem(item, { event, points, index }, reading),
  )
}

interface Spot {
  readonly event: string
  readonly points: readonly PointName[]
  readonly index: number
}

function readItem(
  item: JsonEntry,
  { event, points, index }: Spot,
  reading: Reading,
): readonly ForeignHook[] {
  const { rules, source } = reading
  const group = item.members.get('hooks')
  const id = `${source.file}#${event}[${index}]`
  if (!isObject(item.value)) {
    tell(reading, item.place, wrongShape('A hook is an object.'))
    return []
  }
  const place = { event, points, matcher: item.value['matcher'] ?? undefined }
  if (group !== undefined && rules.layout !== 'flat') {
    const { hooks: _, ...shared } = item.value
    return group.items.flatMap((entry, at) =>
      readEntry(entry, { ...place, id: `${id}.hooks[${at}]`, shared }, reading),
    )
  }
  if (rules.layout === 'groups') {
    const message = 'An entry has no "hooks" list; put its handlers into one.'
    tell(reading, item.place, wrongShape(message))
    return []
  }
  return readEntry(item, { ...place, id, shared: {} }, reading)
}

interface EntrySpot {
  readonly event: string
  readonly points: readonly PointName[]
  readonly matcher: unknown
  readonly id: string
  /** What the group says. */
  readonly shared: JsonObject
}

function readEntry(
  { value, place }: JsonEntry,
  { event, points, matcher, id, shared }: EntrySpot,
  reading: Reading,
): readonly ForeignHook[] {
  const { rules, source } = reading
  if (!isObject(value)) {
    tell(reading, place, wrongShape('A hook is an object.'))
    return []
  }
  if (matcher !== undefined && typeof matcher !== 'string') {
    tell(
      reading,
      place,
      wrongShape('A matcher is a text; the hook is left out.'),
    )
    return []
  }
  const handler = rules.handler(value)
  if (typeof handler === 'string') {
    tell(reading, place, {
      severity: 'error',
      code: 'no-handler',
      message: `A hook of ${event} never runs, as it ${handler}.`,
    })
    return []
  }
  const flags = { ...shared, ...value }
  for (const surprise of rules.check?.(flags, event) ?? []) {
    tell(reading, place, surprise)
  }
  const timeoutMs = rules.timeoutMs(value)
  const hook: ForeignHook = {
    ...{ id, dialect: rules.dialect, event, points, handler, flags },
    ...(matcher !== undefined && { matcher }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    source,
    place,
  }
  return [hook]
}

/** Not about one entry: nothing of the file is used. */
function notAnObject(message: string): Surprise {
  return { severity: 'error', code: 'not-an-object', message }
}

function wrongShape(message: string): Surprise {
  return { severity: 'error', code: 'wrong-shape', message }
}

function tell(
  { findings, source }: Reading,
  place: Place,
  surprise: Surprise,
): void {
  findings.push({ ...surprise, file: source.file, place })
}

/** A text of an entry, if there is one with something in it. */
export function textIn(entry: JsonObject, key: string): string | undefined {
  const value = entry[key]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** A number of an entry above nothing, times so many milliseconds. */
export function timeIn(
  entry: JsonObject,
  key: string,
  unitMs: number,
): number | undefined {
  const value = entry[key]
  const isTime =
    typeof value === 'number' && Number.isFinite(value) && value > 0
  return isTime ? Math.ceil(value * unitMs) : undefined
}

export function environmentIn(
  entry: JsonObject,
): Readonly<Record<string, string>> | undefined {
  const { env } = entry
  if (!isObject(env)) return undefined
  const texts = Object.entries(env).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return Object.fromEntries(texts)
}

/** Arguments that stand beside a script for a shell, which takes none. */
export function checkNoArgs(
  entry: JsonObject,
  product: string,
): readonly Surprise[] {
  if (!Object.hasOwn(entry, 'args')) return []
  const message = `${product} does not read "args" here, so that the command runs without them.`
  const suggestion = 'Write them into the command.'
  return [{ severity: 'warning', code: 'unknown-key', message, suggestion }]
}

/** Seconds beyond a quarter of an hour are most likely milliseconds. */
export function checkSeconds(
  entry: JsonObject,
  key: string,
): readonly Surprise[] {
  const value = entry[key]
  if (typeof value !== 'number' || value < 1_000) return []
  const message = `A "${key}" of ${value} is in seconds here, which is most likely not what is meant.`
  const suggestion = `"${key}": ${Math.ceil(value / 1_000)}`
  return [{ severity: 'warning', code: 'timeout-unit', message, suggestion }]
}
