import type { PointName } from 'hookline/lifecycle'

/** What a refusal at each point leads to. */
const refusals: Readonly<Record<PointName, string>> = {
  'agent.build': 'The agent is not registered.',
  'agent.register': 'The agent is not registered.',
  'agent.unregister': 'Nothing: the agent goes all the same.',
  'session.start': 'The session is refused.',
  'session.end': 'Nothing: the session ends all the same.',
  'turn.input': 'Nothing enters the conversation.',
  'turn.pre_turn': 'The turn is refused.',
  'turn.pre_policy': 'Nothing, unless the hook is required.',
  'turn.pre_prompt_context': 'Nothing is contributed.',
  'turn.pre_tool_materialization': 'Nothing is contributed.',
  'turn.post_preflight_prompt_context': 'Nothing is contributed.',
  'turn.pre_prompt_compile': 'Nothing is contributed.',
  'turn.post_prompt_compile': 'Nothing: it is too late to refuse.',
  'llm.pre_call': 'The model is not called; the turn ends rejected.',
  'llm.post_call':
    'The reply is withheld, its tools do not run, and the turn ends withheld.',
  'llm.error': 'The model is given up.',
  'tool.pre_call':
    'This call is denied; the model is told why, and the turn goes on.',
  'tool.guard':
    'This call is denied; the model is told why, and the turn goes on.',
  'permission.request': 'The user is asked.',
  'permission.resolved': 'Nothing: it was decided.',
  'tool.post_call': 'The result is withheld from the model.',
  'tool.post_batch': 'Nothing: the turn goes on.',
  'compaction.pre': 'This compaction is vetoed.',
  'compaction.post': 'Nothing: it was done.',
  'turn.stop': 'The turn stops.',
  'turn.output': 'The output is withheld.',
  'turn.error': 'The error stands.',
  'turn.post_turn': 'Nothing: the turn is over.',
  'subagent.start': 'The sub-agent does not start.',
  'subagent.stop': 'The sub-agent stops.',
  'runtime.turn_pre_context': 'Nothing is contributed.',
  event: 'Nothing: it was told.',
}

export function refusalAt(point: string): string {
  // Points of users' own say themselves what they do.
  const known: Readonly<Record<string, string>> = refusals
  return known[point] ?? 'What was asked about is not done.'
}
