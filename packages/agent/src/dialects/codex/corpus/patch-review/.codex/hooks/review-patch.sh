#!/usr/bin/env bash
set -euo pipefail
payload="$(cat)"
# The patch is one JSON string; its lines are joined by \n.
added=$(printf '%s' "$payload" | grep -o '\\n+[^\\]*' | sed 's/^\\n+//' || true)
printf '%s\n' "$payload" >> .codex/patches.log
if grep -q 'console\.log' <<<"$added"; then
  echo "Remove the console.log you just added." >&2
  exit 2
fi
