import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type ChildStreams,
  type ConnectedStreams,
  type OutputListeners,
  openStreams,
} from './child-streams.ts'
import type { CommandSpec } from './command-runner.ts'
import { findProgram } from './find-program.ts'
import type { PipePool } from './pipe-pool.ts'
import { runTagVariable } from './run-tag.ts'
import { isScarcity, startFailure } from './start-failure.ts'

export interface StartedProgram {
  readonly child: ChildProcess
  readonly pid: number
  readonly streams: ConnectedStreams
}

export interface StartOptions {
  readonly tag: string
  readonly pool: PipePool
  readonly listeners: OutputListeners
}

/**
 * Starts a program in a session of its own, so that it has no terminal and
 * can be ended with all its children. Where something was scarce it is tried
 * once more.
 */
export async function startProgram(
  spec: CommandSpec,
  options: StartOptions,
): Promise<StartedProgram> {
  const file = findProgram(spec)
  const name = spec.argv[0] ?? ''
  try {
    return await attempt(file, spec, options)
  } catch (error) {
    if (!isScarcity(error)) throw startFailure(error, name)
  }
  await pause(retryMs * (1 + Math.random()))
  try {
    return await attempt(file, spec, options)
  } catch (error) {
    throw startFailure(error, name)
  }
}

const retryMs = 25

async function attempt(
  file: string,
  spec: CommandSpec,
  { tag, pool, listeners }: StartOptions,
): Promise<StartedProgram> {
  const streams = await openStreams(spec.stdin, pool)
  try {
    const child = await spawnChild(file, spec, { tag, streams })
    return { ...child, streams: streams.connect(child.child, listeners) }
  } catch (error) {
    streams.drop()
    throw error
  }
}

async function spawnChild(
  file: string,
  { argv, cwd, env }: CommandSpec,
  { tag, streams }: { tag: string; streams: ChildStreams },
): Promise<{ child: ChildProcess; pid: number }> {
  const [argv0 = file, ...args] = argv
  const child = spawn(file, args, {
    argv0,
    cwd,
    // A bash that has a socket for its input takes itself for a login over
    // the network and reads the user's start-up file, unless it is nested.
    env: { SHLVL: '1', ...env, [runTagVariable]: tag },
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: streams.stdio,
  })
  if (child.pid !== undefined) {
    child.on('error', () => {})
    return { child, pid: child.pid }
  }
  const [error] = await once(child, 'error')
  throw error
}
