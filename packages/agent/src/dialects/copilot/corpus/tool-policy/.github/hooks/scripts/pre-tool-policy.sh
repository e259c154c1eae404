#!/bin/bash
set -e
INPUT=$(cat)
echo '{"type": "progress", "message": "Checking policy..."}'
TOOL_NAME=$(echo "$INPUT" | python3 -c 'import json,sys; print(json.load(sys.stdin)["toolName"])')
[ "$TOOL_NAME" = "bash" ] || exit 0
COMMAND=$(echo "$INPUT" | python3 -c 'import json,sys; print(json.load(sys.stdin)["toolArgs"]["command"])')
if echo "$COMMAND" | grep -qE 'sudo|mkfs|dd if='; then
  echo '{"type": "progress", "message": "Found something.", "temporary": true}'
  echo "{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"Blocked by $POLICY_MODE policy\"}"
elif [[ "$COMMAND" == npm\ publish* ]]; then
  echo '{"permissionDecision":"ask","permissionDecisionReason":"Publishing is for people."}'
fi
