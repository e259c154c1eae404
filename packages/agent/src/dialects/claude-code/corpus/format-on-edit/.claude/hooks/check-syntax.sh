#!/usr/bin/env bash
# Tells the agent when a JSON file no longer parses.
set -euo pipefail

input=$(cat)
file=$(jq -r '.tool_input.file_path // empty' <<<"$input")
[[ "$file" == *.json ]] || exit 0

if ! problem=$(jq empty "$file" 2>&1); then
  echo "$(basename "$file") is not valid JSON any more: $problem" >&2
  exit 2
fi
