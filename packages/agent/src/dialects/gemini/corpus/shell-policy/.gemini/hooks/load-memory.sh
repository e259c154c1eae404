#!/usr/bin/env bash
cat > /dev/null
echo "loading memory for $GEMINI_SESSION_ID" >&2
printf '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"Last time we fixed the parser in %s."}}' "$(basename "$GEMINI_CWD")"
