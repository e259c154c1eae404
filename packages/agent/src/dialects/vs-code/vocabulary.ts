import type { Vocabulary } from '../vocabulary.ts'

export const vocabulary: Vocabulary = {
  tools: {
    Bash: 'run_in_terminal',
    Read: 'read_file',
    Write: 'create_file',
    Edit: 'replace_string_in_file',
    MultiEdit: 'multi_replace_string_in_file',
    Grep: 'grep_search',
    Glob: 'file_search',
    LS: 'list_dir',
    WebFetch: 'fetch_webpage',
    TodoWrite: 'manage_todo_list',
    Agent: 'runSubagent',
    Task: 'runSubagent',
  },
  args: {
    file_path: 'filePath',
    old_string: 'oldString',
    new_string: 'newString',
    replace_all: 'replaceAll',
    subagent_type: 'agentName',
  },
  mcp: (server, tool) => `mcp_${server}_${tool}`,
}
