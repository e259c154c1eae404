/**
 * What a caller may do: take part in sessions, agree to what agents ask for, or
 * run the daemon. None of them includes another.
 */
export type Right = 'run' | 'approve' | 'admin'

export const rights = ['run', 'approve', 'admin'] as const

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Parts that begin with a colon are inputs. */
  readonly path: string
  /**
   * Who may ask; `principal`: whoever has a token, `anybody`: whoever reaches
   * the daemon, without one.
   */
  readonly right: Right | 'principal' | 'anybody'
  /** How the answer comes; default: one JSON value. */
  readonly answer?: 'events' | 'lines' | 'text'
}

/**
 * Everything that can be asked of a daemon. What a path does not name goes into
 * the query of a GET, and into the body of everything else.
 */
export const routes = {
  // The daemon itself.
  health: { method: 'GET', path: '/v1/health', right: 'anybody' },
  ready: { method: 'GET', path: '/v1/ready', right: 'anybody' },
  info: { method: 'GET', path: '/v1/info', right: 'run' },
  metrics: {
    method: 'GET',
    path: '/v1/metrics',
    right: 'admin',
    answer: 'text',
  },
  openapi: { method: 'GET', path: '/v1/openapi.json', right: 'run' },
  shutdown: { method: 'POST', path: '/v1/shutdown', right: 'admin' },

  // How a page gets in: by a code that counts once, and never by its address.
  createLogin: { method: 'POST', path: '/v1/logins', right: 'principal' },
  login: { method: 'POST', path: '/v1/login', right: 'anybody' },
  logout: { method: 'POST', path: '/v1/logout', right: 'principal' },

  // Sessions and their turns.
  listSessions: { method: 'GET', path: '/v1/sessions', right: 'run' },
  createSession: { method: 'POST', path: '/v1/sessions', right: 'run' },
  getSession: { method: 'GET', path: '/v1/sessions/:sessionId', right: 'run' },
  listMessages: {
    method: 'GET',
    path: '/v1/sessions/:sessionId/messages',
    right: 'run',
  },
  getResult: {
    method: 'GET',
    path: '/v1/sessions/:sessionId/results/:callId',
    right: 'run',
  },
  listTurns: {
    method: 'GET',
    path: '/v1/sessions/:sessionId/turns',
    right: 'run',
  },
  send: {
    method: 'POST',
    path: '/v1/sessions/:sessionId/turns',
    right: 'run',
  },
  resume: {
    method: 'POST',
    path: '/v1/sessions/:sessionId/resume',
    right: 'run',
  },
  steer: {
    method: 'POST',
    path: '/v1/sessions/:sessionId/steer',
    right: 'run',
  },
  cancel: {
    method: 'POST',
    path: '/v1/sessions/:sessionId/cancel',
    right: 'run',
  },
  compact: {
    method: 'POST',
    path: '/v1/sessions/:sessionId/compact',
    right: 'run',
  },
  closeSession: {
    method: 'POST',
    path: '/v1/sessions/:sessionId/close',
    right: 'run',
  },
  deleteSession: {
    method: 'DELETE',
    path: '/v1/sessions/:sessionId',
    right: 'admin',
  },
  exportSession: {
    method: 'GET',
    path: '/v1/sessions/:sessionId/export',
    right: 'admin',
    answer: 'lines',
  },

  // What happens, as it happens.
  watchSession: {
    method: 'GET',
    path: '/v1/sessions/:sessionId/events',
    right: 'run',
    answer: 'events',
  },
  watchAll: {
    method: 'GET',
    path: '/v1/events',
    right: 'run',
    answer: 'events',
  },
  attend: {
    method: 'POST',
    path: '/v1/sessions/:sessionId/attend',
    right: 'run',
  },
  emit: { method: 'POST', path: '/v1/events', right: 'run' },
  listWakes: { method: 'GET', path: '/v1/wakes', right: 'run' },
  createWake: { method: 'POST', path: '/v1/wakes', right: 'run' },
  deleteWake: { method: 'DELETE', path: '/v1/wakes/:wakeId', right: 'run' },

  // Agents, skills, memory.
  listAgents: { method: 'GET', path: '/v1/agents', right: 'run' },
  getAgent: { method: 'GET', path: '/v1/agents/:agent', right: 'run' },
  listSkills: { method: 'GET', path: '/v1/skills', right: 'run' },
  listMcpServers: { method: 'GET', path: '/v1/mcp-servers', right: 'run' },
  listMemories: { method: 'GET', path: '/v1/memories', right: 'run' },
  searchMemories: { method: 'GET', path: '/v1/memories/search', right: 'run' },
  forgetMemory: { method: 'DELETE', path: '/v1/memories/:name', right: 'run' },

  // Hooks.
  listHooks: { method: 'GET', path: '/v1/hooks', right: 'run' },
  explainHooks: { method: 'GET', path: '/v1/hooks/explain', right: 'run' },
  hookFigures: { method: 'GET', path: '/v1/hooks/figures', right: 'run' },
  usageFigures: { method: 'GET', path: '/v1/usage', right: 'run' },
  previewHook: { method: 'POST', path: '/v1/hooks/preview', right: 'run' },
  setHook: { method: 'POST', path: '/v1/hooks/set', right: 'admin' },
  setUse: { method: 'POST', path: '/v1/hooks/set-use', right: 'admin' },
  disableAllHooks: {
    method: 'POST',
    path: '/v1/hooks/disable-all',
    right: 'admin',
  },
  enableAllHooks: {
    method: 'POST',
    path: '/v1/hooks/enable-all',
    right: 'admin',
  },
  backtest: { method: 'POST', path: '/v1/hooks/backtest', right: 'admin' },
  testHook: { method: 'POST', path: '/v1/hooks/test', right: 'admin' },
  checkHooks: { method: 'GET', path: '/v1/hooks/check', right: 'admin' },
  listUntrusted: { method: 'GET', path: '/v1/trust', right: 'admin' },
  trust: { method: 'POST', path: '/v1/trust', right: 'admin' },

  // Records.
  listRuns: { method: 'GET', path: '/v1/runs', right: 'run' },
  watchRuns: {
    method: 'GET',
    path: '/v1/runs/events',
    right: 'run',
    answer: 'events',
  },
  getRun: { method: 'GET', path: '/v1/runs/:runId', right: 'run' },
  replayRun: { method: 'POST', path: '/v1/runs/:runId/replay', right: 'admin' },
  whyCall: { method: 'GET', path: '/v1/calls/:callId/why', right: 'run' },
  traceTurn: {
    method: 'GET',
    path: '/v1/sessions/:sessionId/turns/:turnId/trace',
    right: 'run',
  },
  listAudit: { method: 'GET', path: '/v1/audit', right: 'admin' },
  verifyAudit: { method: 'POST', path: '/v1/audit/verify', right: 'admin' },
  listJobs: { method: 'GET', path: '/v1/jobs', right: 'admin' },

  // Approvals and questions.
  listApprovals: { method: 'GET', path: '/v1/approvals', right: 'run' },
  getApproval: {
    method: 'GET',
    path: '/v1/approvals/:approvalId',
    right: 'run',
  },
  answerApproval: {
    method: 'POST',
    path: '/v1/approvals/:approvalId/answer',
    right: 'approve',
  },
  listRules: { method: 'GET', path: '/v1/rules', right: 'run' },
  revokeRule: { method: 'DELETE', path: '/v1/rules/:ruleId', right: 'approve' },
  listQuestions: { method: 'GET', path: '/v1/questions', right: 'run' },
  answerQuestions: {
    method: 'POST',
    path: '/v1/questions/answer',
    right: 'run',
  },

  // Configuration.
  getConfig: { method: 'GET', path: '/v1/config', right: 'run' },
  reload: { method: 'POST', path: '/v1/config/reload', right: 'admin' },

  // Other programs' hooks, answered by ours.
  bridge: { method: 'POST', path: '/v1/bridge', right: 'run' },
} as const satisfies Record<string, Route>

export type OperationName = keyof typeof routes
