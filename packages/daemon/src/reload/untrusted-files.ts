import { readFile } from 'node:fs/promises'
import type { LoadedConfig, TrustItem } from '@hookline/agent/config'

const maxChars = 1_000_000

/** Files of a project that count only when somebody trusts their bytes. */
export async function untrustedFiles({
  problems,
  sources,
}: LoadedConfig): Promise<readonly TrustItem[]> {
  const files = new Set(
    problems.flatMap(({ code, file }) =>
      code === 'needs-trust' ? [file] : [],
    ),
  )
  const items = sources.map(async ({ file, hash }): Promise<TrustItem[]> => {
    if (!files.has(file) || hash === undefined) return []
    const text = await readFile(file, 'utf8').catch(() => '')
    const shown = visible(text.slice(0, maxChars))
    const isCut = text.length > maxChars
    return [
      {
        hash,
        name: file,
        state: 'untrusted',
        isNew: true,
        text: shown,
        files: [],
        unseen: isCut ? ['The rest of the file.'] : [],
        problems: [],
      },
    ]
  })
  return (await Promise.all(items)).flat()
}

/** What would not be seen, or would hide something, is written out. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (found) =>
    found === '\n' || found === '\t'
      ? found
      : `\\u{${found.codePointAt(0)?.toString(16)}}`,
  )
}
