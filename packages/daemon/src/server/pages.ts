import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { findPackageJSON } from 'node:module'
import { dirname, extname, join, relative, sep } from 'node:path'
import { commonHeaders } from './reply.ts'

/** A file of the inspector, as it goes out. */
export interface Page {
  readonly body: Buffer
  /** The same, made small when it was built. */
  readonly gzip: Buffer | undefined
  readonly type: string
  /** Its name changes with what is in it, so that it never changes itself. */
  readonly isFixed: boolean
}

/** All files there are, read once: no request ever reaches the disk. */
export interface Pages {
  find(segments: readonly string[]): Page | undefined
}

/** What the addresses of the inspector begin with; all of them are one page. */
export const viewNames = [
  'live',
  'sessions',
  'runs',
  'calls',
  'plans',
  'approvals',
  'health',
  'settings',
] as const

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
}

/** Where the inspector is when it was built. */
function builtPages(): string {
  const manifest = findPackageJSON(import.meta.url) ?? ''
  return join(dirname(manifest), 'dist', 'inspector')
}

/** The files of a folder; undefined where there is no page in it. */
export async function readPages(
  folder = builtPages(),
): Promise<Pages | undefined> {
  const files = await listFiles(folder)
  const known = new Set(files)
  const pages = new Map<string, Page>()
  const read = async (path: string) => {
    const type = types[extname(path)]
    if (type === undefined) return
    const small = `${path}.gz`
    const [body, gzip] = await Promise.all([
      readFile(join(folder, path)),
      known.has(small) ? readFile(join(folder, small)) : undefined,
    ])
    pages.set(path, { body, gzip, type, isFixed: path.startsWith('assets/') })
  }
  await Promise.all(files.map(read))
  const index = pages.get('index.html')
  if (index === undefined) return undefined
  const views: ReadonlySet<string> = new Set(viewNames)
  return {
    find(segments) {
      const path = segments.join('/')
      if (path === '' || views.has(segments[0] ?? '')) return index
      return pages.get(path)
    },
  }
}

async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, {
      recursive: true,
      withFileTypes: true,
    })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        relative(folder, join(parentPath, name)).replaceAll(sep, '/'),
      )
  } catch {
    // It was not built; everything else works without it.
    return []
  }
}

/** Pages run their own scripts only, and speak with nobody but this daemon. */
const pageHeaders = {
  ...commonHeaders,
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  vary: 'accept-encoding, origin',
}

export function sendPage(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { body, gzip, type, isFixed }: Page,
): void {
  const isSmallFine = /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/.test(
    String(headers['accept-encoding'] ?? ''),
  )
  const sent = isSmallFine ? (gzip ?? body) : body
  response.writeHead(200, {
    ...pageHeaders,
    'content-type': type,
    'content-length': sent.length,
    ...(sent === gzip && { 'content-encoding': 'gzip' }),
    ...(isFixed && { 'cache-control': 'public, max-age=31536000, immutable' }),
  })
  response.end(method === 'HEAD' ? undefined : sent)
}
