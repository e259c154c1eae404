import type { Migration } from './migration.ts'

/**
 * What processes that share a store tell each other: events, messages for
 * sessions, and what wakes agents. As before, what has to be exact is in
 * columns named `payload`.
 */
const sql = `
CREATE INDEX events_by_session ON events (session_id, position);

CREATE TABLE event_marks (
  name TEXT PRIMARY KEY,
  position BIGINT NOT NULL,
  log TEXT NOT NULL
);

CREATE TABLE inbox (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  place TEXT NOT NULL,
  made_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  done_at BIGINT,
  payload TEXT
);
CREATE INDEX inbox_open ON inbox (session_id, created_at, place)
  WHERE done_at IS NULL;
CREATE INDEX inbox_by_session ON inbox (session_id);
CREATE INDEX inbox_by_time ON inbox (created_at, id);

CREATE TABLE wakes (
  id TEXT PRIMARY KEY,
  event TEXT NOT NULL,
  agent TEXT NOT NULL,
  session_id TEXT,
  is_once BIGINT NOT NULL,
  made_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  fired BIGINT NOT NULL DEFAULT 0,
  fired_at BIGINT,
  last_firing TEXT,
  payload TEXT NOT NULL
);
CREATE INDEX wakes_by_event ON wakes (event, id);
CREATE INDEX wakes_by_time ON wakes (created_at, id);
CREATE INDEX wakes_by_session ON wakes (session_id);

CREATE TABLE emitted (
  id TEXT PRIMARY KEY,
  event TEXT NOT NULL,
  at BIGINT NOT NULL,
  made_by TEXT NOT NULL,
  depth BIGINT NOT NULL
);
CREATE INDEX emitted_by_time ON emitted (at, id);

CREATE TABLE firings (
  id TEXT PRIMARY KEY,
  emitted_id TEXT NOT NULL,
  wake_id TEXT NOT NULL,
  session_id TEXT,
  worker TEXT NOT NULL,
  at BIGINT NOT NULL,
  done_at BIGINT,
  payload TEXT NOT NULL
);
CREATE INDEX firings_open ON firings (at, id) WHERE done_at IS NULL;
CREATE INDEX firings_by_time ON firings (at, id);
CREATE INDEX firings_by_wake ON firings (wake_id, at);
CREATE INDEX firings_by_session ON firings (session_id);

ALTER TABLE turns ADD COLUMN origin TEXT;
CREATE INDEX turns_open ON turns (started_at, id) WHERE ended_at IS NULL;
`

/** In SQLite a position is the place of the row itself: one index less. */
const events = (position: 'INTEGER' | 'BIGINT') => `
CREATE TABLE events (
  position ${position} PRIMARY KEY,
  id TEXT NOT NULL,
  session_id TEXT,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  size BIGINT NOT NULL,
  payload TEXT NOT NULL
);
`

/** Each log has a name of its own, by which cursors know where they are from. */
const marks = (name: string) => `
INSERT INTO event_marks (name, position, log)
VALUES ('head', 0, ${name}), ('floor', 0, '');
`

export const betweenProcesses: Migration = {
  version: 2,
  name: 'between-processes',
  sql: '',
  only: {
    sqlite: events('INTEGER') + sql + marks('lower(hex(randomblob(6)))'),
    postgres:
      events('BIGINT') +
      sql +
      marks('substr(md5(random()::text || clock_timestamp()::text), 1, 12)'),
  },
}
