#!/bin/bash
if grep -qE 'sk-[A-Za-z0-9]{8,}'; then
  echo "Your prompt has an API key in it. Rotate it and send the prompt without." >&2
  exit 2
fi
echo "Ticket: $(cat .codex/ticket 2>/dev/null || echo none)"
