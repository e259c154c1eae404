import type { Grant, Sandbox } from 'hookline/lifecycle'
import { intersectNetworks, readNetwork } from './network.ts'
import { intersectRoots, readRoots } from './roots.ts'

/** The part of a grant that says where and how, in its one normal form. */
export type Limits = Omit<Grant, 'decision' | 'reason'>

/** Limits of which some are not set. */
export type SomeLimits = {
  readonly [Key in keyof Limits]: Limits[Key] | undefined
}

/** Limits as they were read. What is unreadable became the strictest. */
export interface ReadLimits {
  readonly limits: SomeLimits
  readonly unreadable: readonly string[]
}

const strictest: Limits = Object.freeze({
  sandbox: 'read_only',
  roots: Object.freeze([]),
  network: 'none',
  timeoutMs: 0,
  maxOutputBytes: 0,
})

/** Reads limits from what may be anything; what is absent stays unset. */
export function readLimits(source: unknown): ReadLimits {
  if (typeof source !== 'object' || source === null || Array.isArray(source)) {
    return { limits: strictest, unreadable: ['all of them'] }
  }
  const given: { readonly [Key in keyof Limits]?: unknown } = source
  const unreadable: string[] = []
  const read = <Key extends keyof Limits>(
    key: Key,
    reader: (value: unknown) => Limits[Key] | undefined,
  ): Limits[Key] | undefined => {
    const value = given[key]
    if (value === undefined) return undefined
    const known = reader(value)
    if (known === undefined) unreadable.push(key)
    return known ?? strictest[key]
  }
  const limits = {
    sandbox: read('sandbox', readSandbox),
    roots: read('roots', readRoots),
    network: read('network', readNetwork),
    timeoutMs: read('timeoutMs', readAmount),
    maxOutputBytes: read('maxOutputBytes', readAmount),
  }
  return { limits, unreadable }
}

/** What a grant must have; what it lacks is as bad as what cannot be read. */
export function fillLimits({ limits, unreadable }: ReadLimits): {
  readonly limits: Limits
  readonly unreadable: readonly string[]
} {
  const missing: string[] = []
  const fill = <Key extends keyof Limits>(key: Key): Limits[Key] => {
    const value: Limits[Key] | undefined = limits[key]
    if (value === undefined) missing.push(key)
    return value ?? strictest[key]
  }
  const filled = {
    sandbox: fill('sandbox'),
    roots: fill('roots'),
    network: fill('network'),
    timeoutMs: fill('timeoutMs'),
    maxOutputBytes: fill('maxOutputBytes'),
  }
  return { limits: filled, unreadable: [...unreadable, ...missing] }
}

/** What both allow. */
export function intersectLimits(one: Limits, other: SomeLimits): Limits {
  const { sandbox, roots, network, timeoutMs, maxOutputBytes } = other
  return {
    sandbox: stricterSandbox(one.sandbox, sandbox ?? one.sandbox),
    roots: roots === undefined ? one.roots : intersectRoots(one.roots, roots),
    network:
      network === undefined
        ? one.network
        : intersectNetworks(one.network, network),
    timeoutMs: Math.min(one.timeoutMs, timeoutMs ?? one.timeoutMs),
    maxOutputBytes: Math.min(
      one.maxOutputBytes,
      maxOutputBytes ?? one.maxOutputBytes,
    ),
  }
}

const sandboxes: readonly Sandbox[] = ['none', 'workspace', 'read_only']

function stricterSandbox(one: Sandbox, other: Sandbox): Sandbox {
  return sandboxes.indexOf(other) > sandboxes.indexOf(one) ? other : one
}

function readSandbox(value: unknown): Sandbox | undefined {
  return sandboxes.find((sandbox) => sandbox === value)
}

function readAmount(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return value < 0 ? undefined : Math.max(0, value)
}
