import type { OperationName } from '@hookline/daemon/client'
import type { AgentEvent, StreamItem } from '../protocol.ts'

/** Which answers are no longer true after what just happened. */
export function staleAfter(item: StreamItem): readonly OperationName[] {
  switch (item.type) {
    case 'event':
      return byEvent[item.event.type] ?? []
    case 'notice':
      return byNotice(item.name)
    case 'reset':
    case 'lagged':
      return everything
    default:
      item satisfies never
      return []
  }
}

const sessions: readonly OperationName[] = [
  'listSessions',
  'getSession',
  'listTurns',
]
const approvals: readonly OperationName[] = [
  'listApprovals',
  'getApproval',
  'listRules',
  'getSession',
]
const questions: readonly OperationName[] = ['listQuestions', 'getSession']
const records: readonly OperationName[] = [
  'listRuns',
  'getRun',
  'traceTurn',
  'whyCall',
  'hookFigures',
  'usageFigures',
]
const hooks: readonly OperationName[] = [
  'listHooks',
  'explainHooks',
  'previewHook',
  'checkHooks',
  'listAgents',
  'getConfig',
]

const everything: readonly OperationName[] = [
  ...sessions,
  ...approvals,
  ...questions,
  ...records,
  ...hooks,
  'listMessages',
]

const byEvent: Partial<Record<AgentEvent['type'], readonly OperationName[]>> = {
  'turn-start': sessions,
  'turn-end': [
    ...sessions,
    ...records,
    ...approvals,
    ...questions,
    'getResult',
  ],
  'permission-start': approvals,
  'permission-end': approvals,
  'tool-end': records,
  'hook-end': records,
}

function byNotice(name: string): readonly OperationName[] {
  // Whatever was known of it is gone as well.
  if (name === 'session-deleted') {
    return [...sessions, ...approvals, ...questions, ...records]
  }
  if (name.startsWith('approval')) return approvals
  if (name.startsWith('questions')) return questions
  if (name.startsWith('session')) return sessions
  if (/^(?:hook|reload|config|table|trust)/.test(name)) return hooks
  return []
}
