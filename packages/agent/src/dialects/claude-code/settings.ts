import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import type { ForeignHook, HookFile, Layer } from '../dialect.ts'
import type { Finding } from '../finding.ts'

export interface CombinedHooks {
  readonly hooks: readonly ForeignHook[]
  readonly findings: readonly Finding[]
}

/** From the weakest to the strongest, for settings of which one counts. */
const precedence: readonly Layer[] = [
  'user',
  'project',
  'local',
  'command-line',
  'managed',
]

/** The order that hooks are declared in. */
const order: readonly Layer[] = [
  'managed',
  'user',
  'project',
  'local',
  'command-line',
  'plugin',
]

interface CombineOptions {
  /** A project cannot switch off the hooks of others. */
  readonly isStrict?: boolean
}

/**
 * The hooks of all files together. They add up; what files say about all
 * hooks is decided by the strongest, and managed hooks always stay.
 */
export function combineFiles(
  files: readonly HookFile[],
  { isStrict = false }: CombineOptions = {},
): CombinedHooks {
  const findings: Finding[] = files.flatMap((file) => file.findings)
  const sorted = files.toSorted((a, b) => rank(a) - rank(b))
  const all = sorted.flatMap(({ hooks }) => hooks)
  const isManaged = ({ source }: ForeignHook) => source.layer === 'managed'
  const managed = files.filter(({ source }) => source.layer === 'managed')
  if (settingOf(managed, 'allowManagedHooksOnly')?.value === true) {
    const kept = all.filter(isManaged)
    if (kept.length < all.length) {
      const last = managed.at(-1)
      if (last) findings.push(dropped(last, all.length - kept.length))
    }
    return { hooks: restrict(kept, files, findings), findings }
  }
  const off = settingOf(files, 'disableAllHooks')
  if (off?.value !== true)
    return { hooks: restrict(all, files, findings), findings }
  const { layer } = off.file.source
  const isLow = layer === 'project' || layer === 'local'
  const staysOn = (hook: ForeignHook) => {
    if (isManaged(hook)) return layer !== 'managed'
    return isStrict && isLow && hook.source.layer === 'user'
  }
  findings.push(switchedOff(off.file, isLow && !isStrict))
  const kept = layer === 'managed' ? [] : all.filter(staysOn)
  return { hooks: restrict(kept, files, findings), findings }
}

function rank({ source }: HookFile): number {
  return order.indexOf(source.layer)
}

/** The value of the strongest file that has one. */
function settingOf(
  files: readonly HookFile[],
  key: string,
): { readonly value: JsonValue; readonly file: HookFile } | undefined {
  const found = files
    .filter(({ settings }) => Object.hasOwn(settings, key))
    .toSorted(
      (a, b) =>
        precedence.indexOf(a.source.layer) - precedence.indexOf(b.source.layer),
    )
    .at(-1)
  const value = found?.settings[key]
  return found && value !== undefined ? { value, file: found } : undefined
}

/** Requests go only where all lists of addresses let them. */
function restrict(
  hooks: readonly ForeignHook[],
  files: readonly HookFile[],
  findings: Finding[],
): readonly ForeignHook[] {
  const urls = listsOf(files, 'allowedHttpHookUrls')
  const names = listsOf(files, 'httpHookAllowedEnvVars')
  return hooks.flatMap((hook): ForeignHook[] => {
    const { handler, source, place } = hook
    if (handler.type !== 'http') return [hook]
    if (
      urls !== undefined &&
      !urls.some((glob) => isCovered(handler.url, glob))
    ) {
      findings.push({
        severity: 'error',
        code: 'url-not-allowed',
        file: source.file,
        place,
        message:
          'The hook never runs, as "allowedHttpHookUrls" does not have its address.',
      })
      return []
    }
    if (names === undefined) return [hook]
    const allowedEnv = handler.allowedEnv.filter((name) => names.includes(name))
    return [{ ...hook, handler: { ...handler, allowedEnv } }]
  })
}

function listsOf(
  files: readonly HookFile[],
  key: string,
): readonly string[] | undefined {
  const lists = files.flatMap(({ settings }) => {
    const list = textsIn(settings, key)
    return list === undefined ? [] : [list]
  })
  return lists.length === 0 ? undefined : lists.flat()
}

function textsIn(
  settings: JsonObject,
  key: string,
): readonly string[] | undefined {
  const value = settings[key]
  if (!Array.isArray(value)) return undefined
  return value.filter((one) => typeof one === 'string')
}

/** A `*` is anything within the host or within the path, not from one to the other. */
function isCovered(url: string, glob: string): boolean {
  if (!URL.canParse(url)) return false
  const [host = '', ...path] = hostAndPath(new URL(url).href)
  const [hostGlob = '', ...pathGlob] = hostAndPath(glob)
  // At the end of a host it would let other hosts in.
  const isOpen = /[^:/]\*$/.test(hostGlob)
  return (
    isLike(host, isOpen ? hostGlob.slice(0, -1) : hostGlob) &&
    (pathGlob.length === 0 || isLike(path.join('/'), pathGlob.join('/')))
  )
}

/** The scheme and the host, then the rest. */
function hostAndPath(address: string): readonly string[] {
  const [, origin = '', rest] =
    /^([a-z]+:\/\/[^/]*)(?:\/(.*))?$/s.exec(address) ?? []
  return rest === undefined ? [origin] : [origin, rest]
}

function isLike(text: string, glob: string): boolean {
  const parts = glob.split('*')
  const [first = '', ...more] = parts
  if (more.length === 0) return text === glob
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of more.slice(0, -1)) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  const last = more.at(-1) ?? ''
  return text.length - last.length >= at && text.endsWith(last)
}

const start = { line: 1, column: 1 }

function dropped({ source }: HookFile, count: number): Finding {
  return {
    severity: 'note',
    code: 'managed-only',
    file: source.file,
    place: start,
    message: `"allowManagedHooksOnly" keeps ${count} other hooks from running.`,
  }
}

function switchedOff({ source }: HookFile, isRisky: boolean): Finding {
  const more = isRisky
    ? ' A project can switch off the hooks of its user this way; strict mode does not let it.'
    : ''
  return {
    severity: isRisky ? 'warning' : 'note',
    code: 'all-disabled',
    file: source.file,
    place: start,
    message: `"disableAllHooks" switches off all hooks but managed ones.${more}`,
  }
}
