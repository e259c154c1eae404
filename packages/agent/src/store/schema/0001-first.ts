import type { Migration } from './migration.ts'

/**
 * Times are milliseconds since 1970, UTC, of the database where they decide
 * anything. What has to be exact is in columns named `payload`, and nowhere
 * else; all other text is redacted before it gets here.
 */
const sql = `
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE workers (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  leased_until BIGINT NOT NULL
);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  agent TEXT NOT NULL,
  cwd TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  turns BIGINT NOT NULL DEFAULT 0,
  seq BIGINT NOT NULL DEFAULT 0,
  ended TEXT,
  worker TEXT,
  fence BIGINT NOT NULL DEFAULT 0,
  payload TEXT
);
CREATE INDEX sessions_by_time ON sessions (updated_at, id);
CREATE INDEX sessions_by_agent ON sessions (agent, updated_at, id);
CREATE INDEX sessions_by_worker ON sessions (worker);

CREATE TABLE journal (
  session_id TEXT NOT NULL,
  seq BIGINT NOT NULL,
  at BIGINT NOT NULL,
  type TEXT NOT NULL,
  turn_id TEXT,
  about TEXT,
  payload TEXT,
  PRIMARY KEY (session_id, seq)
);

CREATE TABLE snapshots (
  session_id TEXT PRIMARY KEY,
  seq BIGINT NOT NULL,
  payload TEXT NOT NULL
);

CREATE TABLE turns (
  id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  agent TEXT NOT NULL,
  model TEXT,
  input_id TEXT,
  status TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  elapsed_ms DOUBLE PRECISION,
  steps BIGINT,
  tool_count BIGINT,
  input_tokens BIGINT,
  output_tokens BIGINT,
  error TEXT,
  PRIMARY KEY (id, session_id)
);
CREATE INDEX turns_by_session ON turns (session_id, number);
CREATE INDEX turns_by_time ON turns (started_at);

CREATE TABLE calls (
  turn_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  owner TEXT NOT NULL,
  safety TEXT NOT NULL,
  state TEXT NOT NULL,
  status TEXT,
  error TEXT,
  seal TEXT,
  table_hash TEXT,
  grant_json TEXT,
  verdicts TEXT NOT NULL,
  is_ungated BIGINT NOT NULL DEFAULT 0,
  approved_by TEXT,
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  elapsed_ms DOUBLE PRECISION,
  payload TEXT,
  PRIMARY KEY (turn_id, call_id, session_id)
);
CREATE INDEX calls_by_session ON calls (session_id, started_at);
CREATE INDEX calls_by_tool ON calls (tool, started_at);

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  dispatch TEXT NOT NULL,
  inside TEXT,
  session_id TEXT,
  turn_id TEXT,
  call_id TEXT,
  agent TEXT,
  point TEXT NOT NULL,
  hook TEXT NOT NULL,
  handler_id TEXT,
  handler_kind TEXT,
  handler_version TEXT,
  visibility TEXT,
  mode TEXT,
  attempt BIGINT NOT NULL,
  state TEXT NOT NULL,
  note TEXT,
  started_at BIGINT NOT NULL,
  place BIGINT NOT NULL DEFAULT 0,
  latency_ms DOUBLE PRECISION,
  deadline_ms DOUBLE PRECISION,
  answer TEXT,
  decided BIGINT NOT NULL DEFAULT 0,
  failure_code TEXT,
  failure_message TEXT,
  policy TEXT,
  failed_open BIGINT NOT NULL DEFAULT 0,
  contributions TEXT,
  diagnostics TEXT,
  idempotency_key TEXT,
  input_hash TEXT,
  worker TEXT,
  late TEXT,
  late_ms DOUBLE PRECISION,
  content TEXT,
  payload TEXT
);
CREATE INDEX runs_by_time ON runs (started_at);
CREATE INDEX runs_by_session ON runs (session_id, started_at);
CREATE INDEX runs_by_turn ON runs (turn_id, call_id);
CREATE INDEX runs_by_hook ON runs (hook, started_at);
CREATE INDEX runs_by_point ON runs (point, started_at);
CREATE INDEX runs_by_state ON runs (state, started_at);
CREATE INDEX runs_in_flight ON runs (worker) WHERE state = 'started';

CREATE TABLE attempts (
  run_id TEXT NOT NULL,
  attempt BIGINT NOT NULL,
  state TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  latency_ms DOUBLE PRECISION,
  failure_code TEXT,
  worker TEXT,
  PRIMARY KEY (run_id, attempt)
);

CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  cwd TEXT NOT NULL,
  tool TEXT NOT NULL,
  seal TEXT NOT NULL,
  args_hash TEXT NOT NULL,
  shown TEXT NOT NULL,
  shown_hash TEXT NOT NULL,
  is_cut BIGINT NOT NULL,
  questions TEXT NOT NULL,
  approvers BIGINT NOT NULL,
  requested_by TEXT NOT NULL,
  state TEXT NOT NULL,
  votes BIGINT NOT NULL DEFAULT 0,
  asked_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  decided_at BIGINT,
  decided_by TEXT,
  reason TEXT,
  lasts TEXT,
  used_at BIGINT,
  epoch BIGINT NOT NULL,
  mac TEXT,
  payload TEXT
);
CREATE INDEX approvals_open ON approvals (id) WHERE state = 'pending';
CREATE INDEX approvals_due ON approvals (expires_at) WHERE state = 'pending';
CREATE INDEX approvals_open_by_session ON approvals (session_id, id) WHERE state = 'pending';
CREATE INDEX approvals_waiting ON approvals (id) WHERE state = 'approved';
CREATE INDEX approvals_unused ON approvals (epoch) WHERE state IN ('pending', 'approved');
CREATE INDEX approvals_by_call ON approvals (turn_id, call_id);
CREATE INDEX approvals_by_session ON approvals (session_id, asked_at);
CREATE INDEX approvals_by_args ON approvals (session_id, args_hash);
CREATE INDEX approvals_by_time ON approvals (asked_at);

CREATE TABLE votes (
  approval_id TEXT NOT NULL,
  voter TEXT NOT NULL,
  decision TEXT NOT NULL,
  lasts TEXT,
  covers TEXT,
  at BIGINT NOT NULL,
  mac TEXT,
  PRIMARY KEY (approval_id, voter)
);

CREATE TABLE rules (
  id TEXT PRIMARY KEY,
  session_id TEXT,
  agent TEXT NOT NULL,
  cwd TEXT NOT NULL,
  tool TEXT NOT NULL,
  owner TEXT NOT NULL,
  safety TEXT NOT NULL,
  args_hash TEXT,
  made_by TEXT NOT NULL,
  made_at BIGINT NOT NULL,
  approval_id TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  revoked_at BIGINT,
  revoked_by TEXT,
  mac TEXT,
  payload TEXT NOT NULL
);
CREATE INDEX rules_by_agent ON rules (agent, tool);

CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  session_id TEXT,
  lane TEXT NOT NULL,
  about TEXT NOT NULL,
  state TEXT NOT NULL,
  attempt BIGINT NOT NULL DEFAULT 0,
  max_attempts BIGINT NOT NULL,
  is_idempotent BIGINT NOT NULL,
  backoff TEXT NOT NULL,
  backoff_ms BIGINT NOT NULL,
  run_at BIGINT NOT NULL,
  order_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  ended_at BIGINT,
  worker TEXT,
  fence BIGINT NOT NULL DEFAULT 0,
  leased_until BIGINT,
  reason TEXT,
  note TEXT,
  payload_hash TEXT,
  payload TEXT
);
CREATE INDEX jobs_due ON jobs (order_at, id) WHERE state = 'queued';
CREATE INDEX jobs_by_lane ON jobs (lane, order_at) WHERE state = 'queued';
CREATE INDEX jobs_delayed ON jobs (run_at) WHERE state = 'delayed';
CREATE INDEX jobs_leased ON jobs (leased_until) WHERE state = 'running';
CREATE INDEX jobs_by_state ON jobs (state, created_at, id) WHERE state <> 'done';
CREATE INDEX jobs_by_session ON jobs (session_id, created_at, id);
CREATE INDEX jobs_by_time ON jobs (created_at, id);

CREATE TABLE audit (
  seq BIGINT PRIMARY KEY,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT,
  session_id TEXT,
  body TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  mac TEXT
);
CREATE INDEX audit_by_session ON audit (session_id, seq);

CREATE TABLE cells (
  scope TEXT NOT NULL,
  scope_id TEXT NOT NULL,
  name TEXT NOT NULL,
  version BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  payload TEXT NOT NULL,
  PRIMARY KEY (scope, scope_id, name)
);

CREATE TABLE memories (
  id TEXT PRIMARY KEY,
  space TEXT NOT NULL,
  agent TEXT NOT NULL,
  owner TEXT,
  session_id TEXT,
  turn_id TEXT,
  origin TEXT NOT NULL,
  made_by TEXT,
  name TEXT NOT NULL,
  digest TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  superseded_at BIGINT,
  payload TEXT NOT NULL
);
CREATE UNIQUE INDEX memories_by_name ON memories (space, name)
  WHERE superseded_at IS NULL;
CREATE INDEX memories_by_digest ON memories (space, digest)
  WHERE superseded_at IS NULL;
CREATE INDEX memories_superseded ON memories (space, name, superseded_at)
  WHERE superseded_at IS NOT NULL;
CREATE INDEX memories_by_session ON memories (session_id);

CREATE TABLE removals (
  id TEXT PRIMARY KEY,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  rows_removed BIGINT NOT NULL,
  older_than BIGINT,
  reason TEXT NOT NULL
);
CREATE INDEX removals_by_time ON removals (at);
`

export const first: Migration = {
  version: 1,
  name: 'first',
  sql,
  only: {
    sqlite: `
CREATE TABLE memory_words (
  place INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  space TEXT NOT NULL,
  words TEXT NOT NULL
);
CREATE VIRTUAL TABLE memory_index USING fts5 (
  space, words, content='memory_words', content_rowid='place',
  tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);
CREATE VIRTUAL TABLE memory_terms USING fts5vocab (memory_index, row);
CREATE TRIGGER memory_words_added AFTER INSERT ON memory_words BEGIN
  INSERT INTO memory_index (rowid, space, words)
  VALUES (new.place, new.space, new.words);
END;
CREATE TRIGGER memory_words_removed AFTER DELETE ON memory_words BEGIN
  INSERT INTO memory_index (memory_index, rowid, space, words)
  VALUES ('delete', old.place, old.space, old.words);
END;
`,
    postgres: `
CREATE TABLE memory_words (id TEXT PRIMARY KEY, words tsvector NOT NULL);
CREATE INDEX memory_words_index ON memory_words USING gin (words);
`,
  },
}
