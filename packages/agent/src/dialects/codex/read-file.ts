import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { parse, TomlError } from 'smol-toml'
import { checkMatcher } from '../check-matcher.ts'
import type { ForeignHandler, HookFile, Source } from '../dialect.ts'
import type { Finding } from '../finding.ts'
import { type JsonEntry, readJsonFile } from '../json-file.ts'
import { eventPoints } from '../kinds.ts'
import { isObject } from '../printed.ts'
import {
  checkSeconds,
  type FileRules,
  readHooks,
  readHooksFile,
  type Surprise,
  textIn,
  timeIn,
} from '../read-hooks-file.ts'
import { moments } from './moments.ts'

export const events = eventPoints(moments)

const rules: FileRules = {
  dialect: 'codex',
  events,
  layout: 'groups',
  settings: ['description', 'state'],
  // Where the scripts of a `requirements.toml` are.
  notEvents: ['managed_dir', 'windows_managed_dir'],
  handler: handlerOf,
  timeoutMs: (entry) => timeIn(entry, 'timeout', 1_000),
  check: checkEntry,
}

/** Reads a `hooks.json`, or the `[hooks]` of a `config.toml`. */
export function readFile(text: string, source: Source): HookFile {
  if (source.file.endsWith('.toml')) return readToml(text, source)
  const file = readHooksFile(text, source, rules)
  return { ...file, findings: [...file.findings, ...outsideOf(text, file)] }
}

const topKeys: ReadonlySet<string> = new Set(['hooks', 'description'])

/** Codex takes no file that has anything else at its top. */
function outsideOf(text: string, { source }: HookFile): readonly Finding[] {
  const { root } = readJsonFile(text)
  return [...(root?.members ?? [])]
    .filter(([key]) => !topKeys.has(key))
    .map(([key, { keyPlace }]) => ({
      severity: 'error' as const,
      code: Object.hasOwn(events, key) ? 'wrong-shape' : 'unknown-key',
      file: source.file,
      place: keyPlace,
      message: `"${key}" stands beside "hooks", so that Codex refuses the file.`,
    }))
}

function handlerOf(entry: JsonObject): ForeignHandler | string {
  const { type = 'command' } = entry
  if (type === 'mcp_tool') {
    const server = textIn(entry, 'server')
    const tool = textIn(entry, 'tool')
    if (server === undefined || tool === undefined) return 'names no tool'
    const { input } = entry
    return { type, server, tool, input: isObject(input) ? input : {} }
  }
  if (type !== 'command')
    return `has a type that Codex skips: ${JSON.stringify(type)}`
  const windows = textIn(entry, 'commandWindows')
  const isWindows = process.platform === 'win32' && windows !== undefined
  const command = isWindows ? windows : textIn(entry, 'command')
  return command === undefined ? 'has no command' : { type, command }
}

const foreignKeys = ['if', 'once', 'args', 'shell', 'asyncRewake']

function checkEntry(entry: JsonObject, event: string): readonly Surprise[] {
  const ignored = foreignKeys.filter((key) => Object.hasOwn(entry, key))
  const unknown: readonly Surprise[] = ignored.map((key) => ({
    severity: 'warning',
    code: 'unknown-key',
    message: `Codex does not know "${key}", so that it has no effect.`,
  }))
  const isIgnored = event === 'UserPromptSubmit' || event === 'Stop'
  const matcher: readonly Surprise[] =
    isIgnored && textIn(entry, 'matcher') !== undefined
      ? [
          {
            severity: 'note',
            code: 'matcher-ignored',
            message: `A matcher has no effect on ${event}.`,
          },
        ]
      : []
  const pattern = checkMatcher(entry, {
    product: 'Codex',
    ifBroken: 'its hooks never run',
  })
  const times = checkSeconds(entry, 'timeout')
  return [...unknown, ...matcher, ...pattern, ...times]
}

function readToml(text: string, source: Source): HookFile {
  const findings: Finding[] = []
  try {
    // What the parser gives is data; dates are the one thing that is no JSON.
    const data = parse(text) as unknown as JsonObject
    const { hooks } = data
    const given = hooks === undefined ? {} : { hooks: withoutDate(hooks) }
    const root = entryOf(given, headersIn(text))
    return readHooks(root, { source, rules, findings })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const { line, column } = error
    findings.push({
      severity: 'error',
      code: 'not-toml',
      file: source.file,
      place: { line, column },
      message: 'The file is not TOML.',
    })
    return { source, hooks: [], findings, settings: {} }
  }
}

/** It would be an object with nothing in it. */
function withoutDate(value: JsonValue): JsonValue {
  return value instanceof Date ? value.toISOString() : value
}

/** The parser knows no places, so that a group stands where its header does. */
function entryOf(
  value: JsonValue,
  headers: Headers,
  path: readonly string[] = [],
): JsonEntry {
  const place = placeOf(headers, path)
  const isList = Array.isArray(value)
  const members = isObject(value) ? Object.entries(value) : []
  return {
    value,
    place,
    keyPlace: place,
    members: new Map(
      members.map(([key, member]) => [
        key,
        entryOf(member, headers, [...path, key]),
      ]),
    ),
    items: isList
      ? value.map((item, at) => entryOf(item, headers, [...path, String(at)]))
      : [],
  }
}

/** The lines that headers stand at, by the names in them. */
type Headers = ReadonlyMap<string, readonly number[]>

function headersIn(text: string): Headers {
  const headers = new Map<string, number[]>()
  for (const [index, line] of text.split('\n').entries()) {
    const [, names] = /^\s*\[\[?([^[\]]+)\]/.exec(line) ?? []
    if (names === undefined) continue
    const key = names.split('.').map(bareName).join('.')
    const lines = headers.get(key) ?? []
    lines.push(index)
    headers.set(key, lines)
  }
  return headers
}

function bareName(name: string): string {
  return name.trim().replace(/^(['"])(.*)\1$/, '$2')
}

function placeOf(headers: Headers, path: readonly string[]) {
  const names = path.filter((part) => !/^\d+$/.test(part))
  const at = Number(path.find((part) => /^\d+$/.test(part)) ?? 0)
  const found = headers.get(names.join('.')) ?? []
  return { line: (found[at] ?? found[0] ?? 0) + 1, column: 1 }
}
