#!/usr/bin/env bash
# Session context from git
cd "$CLAUDE_PROJECT_DIR" || exit 0

branch=$(git rev-parse --abbrev-ref HEAD 2>/dev/null || echo "no repository")
todo=$(grep -c '^- \[ \]' TODO.md 2>/dev/null || true)

if [ -n "${CLAUDE_ENV_FILE:-}" ]; then
  echo "export NODE_ENV=development" >> "$CLAUDE_ENV_FILE"
fi

jq -n --arg context "Branch: $branch
Open items in TODO.md: ${todo:-0}" '{
  hookSpecificOutput: {
    hookEventName: "SessionStart",
    additionalContext: $context
  }
}'
