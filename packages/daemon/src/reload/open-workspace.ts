import { mkdir } from 'node:fs/promises'
import { createAsyncScope } from '@hookline/agent'
import {
  type HooksState,
  loadConfig,
  type OpenedHooks,
  openHooks,
  type SwappedHooks,
} from '@hookline/agent/config'
import {
  createDurableRuntime,
  createRedactor,
  secretsOf,
} from '@hookline/agent/durable'
import { systemClock } from 'hookline'
import { createLog } from '../log/create-log.ts'
import { AgentSet } from './agent-set.ts'
import { BackgroundTasks } from './background-tasks.ts'
import { changedSections } from './changed-sections.ts'
import { Closers } from './closers.ts'
import { composeSettings } from './compose/compose-settings.ts'
import { endInTime } from './end-in-time.ts'
import { FollowedHooks } from './followed-hooks.ts'
import {
  type ChosenSettings,
  chooseSettings,
  keepSettings,
} from './kept-settings.ts'
import { LiveParts } from './live-parts.ts'
import {
  type FoundPlaces,
  findPlaces,
  type LoadedSettings,
  loadFrom,
} from './load-settings.ts'
import { makePlugins } from './make-plugins.ts'
import { openKeptStore } from './open-kept-store.ts'
import { checkPrivate, privatePaths } from './private-paths.ts'
import { containHookErrors } from './quarantine/contain-hook-errors.ts'
import { noteRunning, ownHooks } from './quarantine/note-running.ts'
import { openSafeHooks } from './safe-hooks.ts'
import type { Settings } from './settings.ts'
import { createSwitches } from './switches/create-switches.ts'
import { tellState } from './tell-state.ts'
import type { Workspace, WorkspaceOptions } from './workspace.ts'
import { WorkspaceError } from './workspace-error.ts'

/** How long hooks may take that run when everything is to end. */
const lastMs = 2_000

/**
 * Opens a project as its files say: its store, agents, plugins and hooks, and
 * follows the files from then on. What is wrong at the start is thrown; later
 * on, what was right last goes on.
 */
export async function openWorkspace(
  options: WorkspaceOptions = {},
): Promise<Workspace> {
  const { safe = false } = options
  const places = await findPlaces(options)
  const loaded = await loadFrom(places, { runsCode: !safe })
  if (loaded.refusal !== undefined && !safe) {
    throw new WorkspaceError('invalid-config', loaded.refusal)
  }
  await mkdir(places.home, { recursive: true, mode: 0o700 })
  const { config } = loaded
  const { home } = places
  const chosen: ChosenSettings = safe
    ? await chooseSettings(loaded.settings, { config, home })
    : loaded
  await checkPrivate(privatePaths(places, chosen.settings), places.root)
  const closers = new Closers()
  try {
    const workspace = await open({ options, places, loaded, chosen, closers })
    if (!safe && options.database === undefined) {
      await keepSettings(home, chosen.settings).catch((error: unknown) =>
        workspace.log.warn('settings-not-kept', { error }),
      )
    }
    return workspace
  } catch (error) {
    // Whoever opens it is told why that failed, not how its end did.
    await closers.close().catch(() => {})
    throw error
  }
}

interface Opening {
  readonly options: WorkspaceOptions
  readonly places: FoundPlaces
  readonly loaded: LoadedSettings
  readonly chosen: ChosenSettings
  readonly closers: Closers
}

async function open(opening: Opening): Promise<Workspace> {
  const { options, places, loaded, chosen, closers } = opening
  const { root, home, env, regex } = places
  const { clock = systemClock, safe: isSafe = false } = options
  const { takesOver = true, isOwnProcess = false } = options
  const started = chosen.settings
  const log = options.log ?? createLog({ level: started.daemon.logLevel })
  const secrets = secretsOf(env)
  log.redactWith(createRedactor({ secrets }))
  let release = () => {}
  if (!isOwnProcess) closers.add(async () => release())
  const kept = await openKeptStore(started, {
    ...{ home, env, clock, log, database: options.database },
  })
  closers.add(() => kept.close())
  const { store, auditKey, anchors } = kept
  log.redactWith(store.redactor)
  const live = new LiveParts(started, { env, regex, models: options.models })
  const paths = privatePaths(places, started)
  const made = makePlugins(started.plugins, { home, paths, store, clock, log })
  const background = new BackgroundTasks()
  const runtime = createDurableRuntime({
    store,
    clock,
    background,
    models: live.models,
    policy: live.policy,
    plugins: made.plugins,
    ...(!takesOver && { worker: false, recovers: false }),
    engine: { asyncScope: createAsyncScope() },
    onAlarm: (code, about) => log.warn('alarm', { code, about }),
    onError: (error) => log.error('background-failed', { error }),
  })
  const { running } = options
  release = containHookErrors(runtime, { log, running })
  let own: ReadonlySet<string> = new Set()
  const switches = await createSwitches({
    ...{ store, audit: store.audit, clock, log },
    ...(running !== undefined && { left: running.left }),
    swap: (hooks, tableOptions) =>
      runtime.swapHooks(
        running === undefined ? hooks : noteRunning(hooks, running, own),
        tableOptions,
      ),
  })
  closers.add(() => switches.close())

  // What was in its way is no more: that is part of what is said of the files.
  const onFree = () => hooks.again()
  const agents = new AgentSet(runtime, { log, onFree })
  const listeners = new Set<(state: HooksState) => void>()
  let settings: Settings = started
  let needsRestart: readonly string[] = []
  /** What files say beside hooks holds together with them, or not at all. */
  const swap = (set: SwappedHooks) => {
    const said = composeSettings(set.config, places)
    // What is open stays so, whatever can be read of the files by now.
    const next = isSafe ? withOpened(said, started) : said
    const parts = live.make(next)
    own = ownHooks(set.config)
    switches.take(set)
    live.use(parts)
    const { logLevel } = next.daemon
    if (logLevel !== settings.daemon.logLevel) log.setLevel(logLevel)
    settings = next
  }
  const hooks = new FollowedHooks({
    root,
    async apply() {
      const problems = await agents.want(settings.agents)
      needsRestart = changedSections(started, settings)
      return problems[0]
    },
    onState(state) {
      tellState(log, state, needsRestart)
      for (const listener of [...listeners]) {
        try {
          listener(state)
        } catch (error) {
          log.error('listener-failed', { error })
        }
      }
    },
  })
  closers.add(() => hooks.close())
  const onChange = (state: HooksState) => hooks.take(state)
  hooks.follow(
    isSafe
      ? await openSafe(opening, { swap, onChange })
      : await openHooks(runtime, {
          ...places.load,
          hooks: made.hooks,
          clock,
          trust: loaded.trust,
          swap,
          onChange,
          onAudit: ({ event, details }) =>
            store.audit.record({ kind: event, body: { ...details } }),
        }),
  )
  const end = (work: Promise<unknown>, graceMs: number) =>
    endInTime(work, {
      clock,
      graceMs: graceMs + lastMs,
      hurry: () => hooks.close(),
    })
  const endAll = async () => {
    try {
      await agents.close()
    } finally {
      await runtime.close()
    }
  }
  closers.add(() => end(endAll(), 0))
  await hooks.settled()
  checkAgents(runtime.agents.length, hooks.state)
  if (isSafe) {
    const { note: storeNote } = chosen
    log.warn('safe-mode', { refusal: loaded.refusal, store: storeNote })
  }

  return {
    root,
    home,
    user: places.user,
    store,
    runtime,
    hooks,
    switches,
    catalogue: places.load.catalogue,
    log,
    isSafe,
    auditKey,
    anchors,
    background,
    questions: made.questions,
    skills: made.skills,
    mcp: made.mcp,
    pluginOf: made.pluginOf,
    get settings() {
      return settings
    },
    get needsRestart() {
      return needsRestart
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async reload() {
      await made.skills?.reload()
      return await hooks.reload()
    },
    endInTime: end,
    close: () => closers.close(),
  }
}

function withOpened(said: Settings, { store, daemon }: Settings): Settings {
  const { twoPersonRule, approvers } = daemon
  const kept = { ...said.daemon, twoPersonRule, approvers }
  return { ...said, store, daemon: kept }
}

async function openSafe(
  { places, loaded: { trust }, chosen: { note } }: Opening,
  told: {
    readonly swap: (set: SwappedHooks) => void
    readonly onChange: (state: HooksState) => void
  },
): Promise<OpenedHooks> {
  const { load, root } = places
  return await openSafeHooks({
    ...told,
    trust,
    note,
    catalogue: load.catalogue,
    load: () =>
      loadConfig({
        ...load,
        runsCode: false,
        isTrusted: ({ hash }) => trust.isTrusted(root, hash),
      }),
  })
}

/** A daemon without an agent that files ask for is not what they ask for. */
function checkAgents(count: number, { refusal }: HooksState): void {
  if (count > 0 || refusal === undefined) return
  throw new WorkspaceError('invalid-config', refusal)
}
