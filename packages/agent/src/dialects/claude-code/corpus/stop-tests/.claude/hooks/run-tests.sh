#!/usr/bin/env bash
# Do not let the agent stop while the tests are red.
input=$(cat)

if [ "$(echo "$input" | jq -r '.stop_hook_active')" = "true" ]; then
  echo '{"systemMessage": "Tests were run once already; not looping."}'
  exit 0
fi

transcript=$(echo "$input" | jq -r '.transcript_path')
if ! grep -q '"role":"assistant"' "$transcript"; then
  exit 0
fi

if output=$(./run-tests 2>&1); then
  exit 0
fi

jq -n --arg reason "The tests fail, fix them before you stop:
$output" '{decision: "block", reason: $reason}'
