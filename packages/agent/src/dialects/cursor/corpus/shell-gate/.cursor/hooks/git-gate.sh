#!/bin/bash
# Ask before anything that touches git, deny what rewrites history.
input=$(cat)
command=$(printf '%s' "$input" | python3 -c 'import json,sys; print(json.load(sys.stdin)["command"])')

if [[ "$command" =~ git[[:space:]]+reset[[:space:]]+--hard ]]; then
  cat << JSON
{
  "permission": "deny",
  "user_message": "A hard reset was blocked.",
  "agent_message": "Do not use git reset --hard. Use git stash."
}
JSON
elif [[ "$command" =~ ^git ]]; then
  echo '{"permission": "ask", "user_message": "The agent wants to run git.", "agent_message": "Wait for the user."}'
else
  echo '{"permission": "allow"}'
fi
