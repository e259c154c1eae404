#!/usr/bin/env bash
cat > /dev/null
printf '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"%s"}}' "$(tr '\n' ' ' < notes.txt)"
