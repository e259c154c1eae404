import type { ConfigFile } from './file-sections.ts'

/** For files of code: says what a configuration can be, and changes nothing. */
export function defineConfig(config: ConfigFile): ConfigFile {
  return config
}
