import type { Vocabulary } from '../vocabulary.ts'

export const vocabulary: Vocabulary = {
  tools: {
    Bash: 'run_shell_command',
    Read: 'read_file',
    Write: 'write_file',
    Edit: 'replace',
    MultiEdit: 'replace',
    Glob: 'glob',
    Grep: 'search_file_content',
    LS: 'list_directory',
    WebFetch: 'web_fetch',
    WebSearch: 'google_web_search',
    TodoWrite: 'write_todos',
  },
  args: {},
  mcp: (server, tool) => `mcp_${server}_${tool}`,
}
