#!/usr/bin/env bash
cat >/dev/null
cat <<JSON
{
  "hookSpecificOutput": {
    "hookEventName": "BeforeAgent",
    "additionalContext": "Answer in one sentence."
  }
}
JSON
