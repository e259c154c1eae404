import { isAbsolute } from 'node:path'
import { isSameData } from '../data/same-data.ts'
import { usualLimits } from '../handlers/command/sandbox-limits.ts'
import {
  type CommandDefinition,
  type EntryDefinition,
  type HookDefinition,
  isUse,
} from '../handlers/definition.ts'
import { isWithin } from './config-source.ts'

type Failure = 'open' | 'fallback' | 'closed' | 'required'

const strictness: readonly Failure[] = [
  'open',
  'fallback',
  'closed',
  'required',
]
const holdBacks: readonly unknown[] = ['none', 'sentence', 'all']

/**
 * A managed hook as a lower layer has it, if that is at most stricter. Whatever
 * can make a hook fail counts as stricter only where its failure refuses.
 */
export function tighten(
  managed: EntryDefinition,
  lower: EntryDefinition,
  defaultFailure: 'open' | 'closed' | 'required',
): { readonly definition: EntryDefinition } | { readonly loosens: string } {
  const rules =
    isUse(managed) || isUse(lower)
      ? useRules(managed, lower)
      : hookRules(managed, lower, defaultFailure)
  const keys = new Set([...Object.keys(managed), ...Object.keys(lower)])
  for (const key of keys) {
    if (isSame(managed, lower, key) || rules[key] === true) continue
    return { loosens: key }
  }
  const { name, description } = managed
  return {
    definition: {
      ...lower,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
    },
  }
}

/** For each key whether another value of it is stricter. */
type Rules = Readonly<Record<string, boolean>>

/**
 * Which of two options is the stricter one is not known here, nor what a hook
 * of a use does when it fails. Whoever wants more adds a use of another name.
 */
function useRules(managed: EntryDefinition, lower: EntryDefinition): Rules {
  return {
    name: true,
    description: true,
    disabled: managed.disabled === true && lower.disabled !== true,
  }
}

function hookRules(
  managed: HookDefinition,
  lower: HookDefinition,
  defaultFailure: 'open' | 'closed' | 'required',
): Rules {
  const before = failureOf(managed, defaultFailure)
  const after = failureOf(lower, defaultFailure)
  const isSafe = strictness.indexOf(after) >= strictness.indexOf('closed')
  return {
    name: true,
    description: true,
    onFailure:
      strictness.indexOf(after) > strictness.indexOf(before) ||
      (after === before && after !== 'fallback'),
    timeoutMs: isSafe && timeOf(lower) <= timeOf(managed),
    mustAnswer: isSafe && lower.mustAnswer === true,
    // What writes would change something that it only tried before.
    mode: lower.mode !== 'evaluate' && lower.writes !== true,
    disabled: managed.disabled === true && lower.disabled !== true,
    holdBack: isHeldBackMore(managed, lower),
    handler: isSafe && isConfinedMore(managed, lower),
  }
}

function isSame(one: object, other: object, key: string): boolean {
  return isSameData(
    Reflect.get(one, key) as unknown,
    Reflect.get(other, key) as unknown,
  )
}

function failureOf({ onFailure }: HookDefinition, byDefault: Failure): Failure {
  return typeof onFailure === 'object' ? 'fallback' : (onFailure ?? byDefault)
}

function timeOf({ timeoutMs = 30_000 }: HookDefinition): number {
  return timeoutMs
}

function isHeldBackMore(managed: HookDefinition, lower: HookDefinition) {
  const before = holdBacks.indexOf(managed.holdBack ?? 'all')
  const after = holdBacks.indexOf(lower.holdBack ?? 'all')
  // A window compares with nothing but all.
  return after > before && (before >= 0 || lower.holdBack === 'all')
}

/** The same command with less: in a sandbox, with fewer variables. */
function isConfinedMore(
  { handler: before }: HookDefinition,
  { handler: after }: HookDefinition,
): boolean {
  if (before.type !== 'command' || after.type !== 'command') return false
  const { sandbox: _, env: __, ...rest } = before
  const { sandbox: ___, env: ____, ...lowerRest } = after
  return (
    isSameData(rest, lowerRest) &&
    isSubset(after.env ?? [], before.env ?? []) &&
    isSandboxedMore(before.sandbox, after.sandbox)
  )
}

type Sandbox = CommandDefinition['sandbox']

function isSandboxedMore(before: Sandbox, after: Sandbox): boolean {
  // Who hides what a hook has to read could keep it from refusing.
  if (!isSubset(after?.hidden ?? [], before?.hidden ?? [])) return false
  if (before === undefined) return true
  if (after === undefined) return false
  return (
    (before.network === true || after.network !== true) &&
    isSubset(before.hidden ?? [], after.hidden ?? []) &&
    isWrittenLess(before, after) &&
    limits.every(
      (limit) =>
        (after[limit] ?? usualLimits[limit]) <=
        (before[limit] ?? usualLimits[limit]),
    )
  )
}

/**
 * To name more that is read-only than can be written to takes nothing away, and
 * can show what is hidden; so can what is left when its folder is taken out.
 */
function isWrittenLess(
  { writable: before = [], readOnly: kept = [] }: NonNullable<Sandbox>,
  { writable: after = [], readOnly = [] }: NonNullable<Sandbox>,
): boolean {
  const added = readOnly.filter((path) => !kept.includes(path))
  // Relative ones would start at the managed file.
  const folders = after.filter((folder) => isAbsolute(folder))
  return (
    isSubset(after, before) &&
    (kept.length === 0 || isSubset(before, after)) &&
    isSubset(kept, readOnly) &&
    added.every(
      (path) =>
        isAbsolute(path) && folders.some((folder) => isWithin(folder, path)),
    )
  )
}

const limits = ['maxProcesses', 'maxMemoryMb', 'maxDiskMb'] as const

function isSubset(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one))
}
