import type { Vocabulary } from '../vocabulary.ts'

export const vocabulary: Vocabulary = {
  tools: {
    Bash: 'Shell',
    Read: 'Read',
    Write: 'Write',
    Edit: 'Write',
    MultiEdit: 'Write',
    NotebookEdit: 'Write',
    Grep: 'Grep',
    Delete: 'Delete',
    Agent: 'Task',
    Task: 'Task',
  },
  args: {},
  mcp: (_server, tool) => `MCP:${tool}`,
}
