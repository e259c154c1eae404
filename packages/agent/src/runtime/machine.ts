import { arch, platform, release } from 'node:os'
import type { Machine } from '../prompt/environment.ts'

/** The machine that this process runs on. */
export function thisMachine(): Machine {
  return {
    platform: platform(),
    release: release(),
    arch: arch(),
    shell: process.env['SHELL'],
  }
}
