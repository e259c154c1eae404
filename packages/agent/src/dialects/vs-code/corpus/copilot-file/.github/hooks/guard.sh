#!/usr/bin/env bash
input=$(cat)
if [[ "$input" == *'"tool_name":"read_file"'* && "$input" == *'secrets/'* ]]; then
  echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"secrets/ is off limits."}}'
fi
echo "seen" >> seen.txt
