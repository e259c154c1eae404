#!/usr/bin/env bash
cat > /dev/null
if [ "$TEAM" != "blue" ]; then
  echo "no team" >&2
  exit 2
fi
echo '{"permission":"allow","updated_input":{"command":"echo team '"$TEAM"'"}}'
