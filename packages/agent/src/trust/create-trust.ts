import { resolve } from 'node:path'
import { systemClock } from 'hookline'
import { isInside } from './is-inside.ts'
import { nestedProject } from './nested-project.ts'
import { realOf } from './real-of.ts'
import { SubjectReader } from './subject-reader.ts'
import type { Trust, TrustItem, TrustOptions, TrustState } from './trust.ts'
import { isHash, keyOf, type TrustBook, type TrustEntry } from './trust-book.ts'
import { hashesIn, readHashes, stateFolder } from './trust-environment.ts'
import { TrustError } from './trust-error.ts'
import { TrustFile } from './trust-file.ts'
import type { TrustSource } from './trust-source.ts'
import { visibleText } from './visible-text.ts'

interface Inspected {
  readonly project: string
  readonly name: string
  readonly isHidden: boolean
}

interface Blocks {
  /** Why it cannot be trusted at all. */
  readonly blocks: readonly string[]
}

interface ExamineOptions {
  readonly cwd?: string
  readonly maxLooks?: number
}

/** Of the paths of all that is looked at together; that takes seconds at most. */
const maxInspected = 400_000

export function createTrust({
  environment = process.env,
  folder = stateFolder(environment),
  trustedHashes = [],
  clock = systemClock,
  lockWaitMs = 5_000,
}: TrustOptions = {}): Trust {
  const file = new TrustFile(resolve(folder), { waitMs: lockWaitMs })
  const subjects = new SubjectReader(environment['PATH'] ?? '')
  const named = readHashes([...trustedHashes, ...hashesIn(environment)])
  const inspected = new Map<string, Inspected>()

  /** What is kept, or why nothing of it counts. */
  const look = (project: string): { book?: TrustBook; problem?: string } => {
    if (isInside(realOf(file.folder), project)) {
      const problem = `The folder of trust, "${file.folder}", is within the project, so that nothing is trusted; set XDG_STATE_HOME to another.`
      return { problem }
    }
    try {
      return { book: file.read() }
    } catch (error) {
      if (error instanceof TrustError) return { problem: error.message }
      throw error
    }
  }

  const examine = (
    root: string,
    source: TrustSource,
    { cwd = root, ...limits }: ExamineOptions,
  ) => {
    const project = realOf(root)
    const real = cwd === '' ? '' : realOf(cwd)
    const subject = subjects.read(source, { project, cwd: real, ...limits })
    const { book, problem } = look(project)
    const nested = nestedProject(realOf(source.folder), project)
    const blocks = [
      ...(subject.isHidden ? subject.problems : []),
      ...(nested === undefined
        ? []
        : [`It belongs to "${nested}", which is a project of its own.`]),
    ]
    const { hash } = subject
    const isTrusted =
      named.hashes.has(hash) ||
      book?.trusted.has(keyOf({ hash, project })) === true
    const state: TrustState =
      isTrusted && blocks.length === 0
        ? 'trusted'
        : hasOther(book, { project, name: source.name })
          ? 'changed'
          : 'untrusted'
    const isNew = book?.shown.get(project)?.includes(subject.hash) !== true
    return { project, subject, state, isNew, problem, blocks }
  }

  const note = (
    hash: string,
    { project, name, blocks }: Omit<Inspected, 'isHidden'> & Blocks,
  ) => {
    // Whoever still thinks about something older looks at it again.
    if (inspected.size > maxInspected) inspected.clear()
    inspected.set(hash, { project, name, isHidden: blocks.length > 0 })
  }

  return {
    inspect(root, sources, options = {}) {
      const project = realOf(root)
      let maxLooks = maxInspected
      const items = sources.map((source): TrustItem => {
        const limited = { ...options, maxLooks }
        const { subject, state, isNew, blocks } = examine(root, source, limited)
        maxLooks = Math.max(0, maxLooks - subject.looks)
        const { hash, unseen } = subject
        const name = visibleText(source.name)
        const files = subject.files.map((file) => ({
          ...file,
          named: visibleText(file.named),
        }))
        note(hash, { project, name: source.name, blocks })
        const told = [...new Set([...subject.problems, ...blocks])]
        const problems = told.map(visibleText)
        const text = visibleText(JSON.stringify(source.content, null, 2))
        return { hash, name, state, isNew, text, files, unseen, problems }
      })
      const { problem } = look(project)
      const problems = [
        ...(problem === undefined ? [] : [problem]),
        ...named.problems,
      ]
      return { project, items, problems, isUnknown: problem !== undefined }
    },
    check(root, source, options = {}) {
      const found = examine(root, source, options)
      const { state, blocks } = found
      const { hash } = found.subject
      if (state === 'trusted') return { state, hash }
      // Whoever is told of it may want to trust it.
      note(hash, { ...found, name: source.name })
      const [problem = found.problem] = blocks
      return { state, hash, ...(problem !== undefined && { problem }) }
    },
    isTrusted(root, hash) {
      if (named.hashes.has(hash)) return true
      const project = realOf(root)
      // The same bytes elsewhere may load other files.
      return look(project).book?.trusted.has(keyOf({ hash, project })) === true
    },
    knows(root) {
      const project = realOf(root)
      const { book } = look(project)
      // Of a hash that was named it is not known whose it is.
      if (book === undefined || named.hashes.size > 0) return true
      return [...book.trusted.values()].some((one) => one.project === project)
    },
    async trust(hashes) {
      const entries = hashes.map((hash) => toEntry(hash, inspected.get(hash)))
      await file.change((book) => withEntries(book, entries))
    },
    async trustFile(root, { path, hash }) {
      if (!isHash(hash)) throw invalid(hash)
      const project = realOf(root)
      const entry = { hash, project, name: resolve(root, path), at: now() }
      await file.change((book) => withEntries(book, [entry]))
    },
    async revoke(hashes) {
      await file.change((book) => {
        const kept = [...book.trusted].filter(
          ([, { hash }]) => !hashes.includes(hash),
        )
        return { ...book, trusted: new Map(kept) }
      })
    },
    async remember({ project, items }) {
      const hashes = items.map(({ hash }) => hash)
      await file.change((book) => {
        const shown = new Map(book.shown).set(project, hashes)
        return { ...book, shown }
      })
    },
    list: () => [...file.read().trusted.values()],
  }

  function now(): string {
    return new Date(clock.wallAt(clock.now())).toISOString()
  }

  function toEntry(hash: string, known: Inspected | undefined): TrustEntry {
    if (!isHash(hash)) throw invalid(hash)
    if (known === undefined) {
      const message = `Nothing that was inspected has the hash ${hash}; inspect the project again, it may have changed.`
      throw new TrustError('unknown-hash', message)
    }
    const { project, name, isHidden } = known
    if (isHidden) {
      const message = `"${name}" cannot be trusted as it is; see its problems.`
      throw new TrustError('unknown-hash', message)
    }
    return { hash, project, name, at: now() }
  }
}

/** Something of the same name is trusted: it was another then. */
function hasOther(
  book: TrustBook | undefined,
  { project, name }: { readonly project: string; readonly name: string },
): boolean {
  for (const entry of book?.trusted.values() ?? []) {
    if (entry.project === project && entry.name === name) return true
  }
  return false
}

function withEntries(
  book: TrustBook,
  entries: readonly TrustEntry[],
): TrustBook {
  const trusted = new Map(book.trusted)
  for (const entry of entries) trusted.set(keyOf(entry), entry)
  return { ...book, trusted }
}

function invalid(hash: string): TrustError {
  const message = `"${visibleText(hash)}" is no hash; write all 64 digits of it.`
  return new TrustError('invalid-hash', message)
}
