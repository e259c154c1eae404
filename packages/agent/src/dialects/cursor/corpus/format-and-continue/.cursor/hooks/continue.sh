#!/usr/bin/env bash
input=$(cat)
if [[ "$input" == *'"status":"completed"'* && ! -f .cursor/tested ]]; then
  touch .cursor/tested
  echo '{ "followup_message": "Now run the test suite." }'
else
  echo '{}'
fi
