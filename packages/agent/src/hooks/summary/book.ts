/** What was said in a turn. */
export interface TurnLine {
  readonly turn: number
  readonly user: string
  readonly agent: string
}

/** What is known of a session. */
export interface SessionNote {
  readonly session: string
  /** The model of the agent when it was last heard of. */
  readonly model: string
  /** Wall-clock milliseconds of its newest turn. */
  readonly at: number
  /** What a model wrote about it; empty: nothing yet. */
  readonly text: string
  /** The last turn that this is about. */
  readonly upTo: number
  /** The turn after which a model was last asked, and by which run. */
  readonly tried: number
  readonly triedBy: string
  /** Turns that it is not about. */
  readonly open: readonly TurnLine[]
}

/** Sessions of one agent, person and folder, the newest first. */
interface Page {
  readonly key: string
  readonly notes: readonly SessionNote[]
}

/** Several of them in one cell, the newest first. */
export type Book = readonly Page[]

/** Which note it is about, and when. */
export interface NotePlace {
  readonly key: string
  readonly session: string
  /** What was last heard of before this is forgotten. */
  readonly oldest: number
}

const maxPages = 4
const maxNotes = 3
const maxOpen = 10

/** Changes one note, or adds it; undefined: it is not there afterwards. */
export function changeNote(
  book: Book,
  { key, session, oldest }: NotePlace,
  change: (note: SessionNote | undefined) => SessionNote | undefined,
): Book {
  const notes = book.find((page) => page.key === key)?.notes ?? []
  const changed = change(notes.find((note) => note.session === session))
  const others = notes.filter((note) => note.session !== session)
  const kept = newestFirst([...others, ...(changed ? [changed] : [])])
  const page = { key, notes: kept.slice(0, maxNotes) }
  return [page, ...book.filter((one) => one.key !== key)]
    .map((one) => ({ ...one, notes: since(one.notes, oldest) }))
    .filter((one) => one.notes.length > 0)
    .toSorted((a, b) => (b.notes[0]?.at ?? 0) - (a.notes[0]?.at ?? 0))
    .slice(0, maxPages)
}

export function noteIn(
  book: Book,
  { key, session }: Pick<NotePlace, 'key' | 'session'>,
): SessionNote | undefined {
  const notes = book.find((page) => page.key === key)?.notes ?? []
  return notes.find((note) => note.session === session)
}

/** Of the newest session but this one, if it is not too old. */
export function lastNote(
  book: Book,
  { key, session, oldest }: NotePlace,
): SessionNote | undefined {
  const notes = book.find((page) => page.key === key)?.notes ?? []
  return since(notes, oldest).find((note) => note.session !== session)
}

const fresh = { text: '', upTo: 0, tried: 0, triedBy: '', open: [] }

/** A turn has ended. What is told twice counts once. */
export function withTurn(
  before: SessionNote | undefined,
  line: TurnLine,
  about: Pick<SessionNote, 'session' | 'model' | 'at'>,
): SessionNote {
  const note = before ?? { ...fresh, ...about }
  const { upTo, open } = note
  const isKnown =
    line.turn <= upTo || open.some(({ turn }) => turn === line.turn)
  if (isKnown) return note
  return { ...note, ...about, open: [...open, line].slice(-maxOpen) }
}

/** A model has written about all turns up to one. */
export function withText(
  note: SessionNote | undefined,
  text: string,
  upTo: number,
): SessionNote | undefined {
  // It was deleted meanwhile, or a later one came first.
  if (note === undefined || note.upTo > upTo) return note
  return { ...note, text, upTo, open: note.open.filter((l) => l.turn > upTo) }
}

function newestFirst(notes: readonly SessionNote[]): readonly SessionNote[] {
  return notes.toSorted((a, b) => b.at - a.at)
}

function since(
  notes: readonly SessionNote[],
  oldest: number,
): readonly SessionNote[] {
  return notes.filter(({ at }) => at >= oldest)
}
