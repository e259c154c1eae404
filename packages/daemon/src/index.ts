export type { Client } from './protocol/client.ts'
export type { Service } from './protocol/service.ts'
// With `createConfigSchema`: the schema of files that a daemon reads.
export { configSections } from './reload/sections/config-sections.ts'
export { type Daemon, type DaemonOptions, startDaemon } from './start-daemon.ts'
