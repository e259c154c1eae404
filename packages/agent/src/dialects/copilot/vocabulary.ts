import type { Vocabulary } from '../vocabulary.ts'

export const vocabulary: Vocabulary = {
  tools: {
    Bash: 'bash',
    Read: 'view',
    Write: 'create',
    Edit: 'edit',
    MultiEdit: 'edit',
    Grep: 'grep',
    Glob: 'glob',
    WebFetch: 'web_fetch',
    WebSearch: 'web_search',
    AskUserQuestion: 'ask_user',
    TodoWrite: 'update_todo',
    Agent: 'task',
    Task: 'task',
  },
  args: {
    file_path: 'path',
    content: 'file_text',
    old_string: 'old_str',
    new_string: 'new_str',
  },
  mcp: (server, tool) => `${server}-${tool}`,
}
