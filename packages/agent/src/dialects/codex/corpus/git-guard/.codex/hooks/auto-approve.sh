#!/usr/bin/env bash
# Read-only commands need nobody's permission.
input=$(cat)
case "$input" in
  *'"command":"git status'*|*'"command":"ls'*)
    echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'
    ;;
  *'"command":"curl'*)
    echo 'No network in this repository.' >&2
    exit 2
    ;;
esac
