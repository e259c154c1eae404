#!/bin/bash
# Blocks dangerous commands
INPUT=$(cat)
COMMAND=$(echo "$INPUT" | jq -r '.tool_input.command')

DANGEROUS_PATTERNS=(
  'rm[[:space:]]+-[a-z]*r[a-z]*f'
  'rm[[:space:]]+-[a-z]*f[a-z]*r'
  'git[[:space:]]+push[[:space:]]+.*--force'
  'git[[:space:]]+reset[[:space:]]+--hard'
  'DROP[[:space:]]+TABLE'
  '>[[:space:]]*/dev/sd'
)

for pattern in "${DANGEROUS_PATTERNS[@]}"; do
  if echo "$COMMAND" | grep -qiE "$pattern"; then
    echo "BLOCKED: command matches dangerous pattern '$pattern'" >&2
    exit 2
  fi
done

exit 0
