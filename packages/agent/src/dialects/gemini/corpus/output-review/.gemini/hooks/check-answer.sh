#!/usr/bin/env bash
input=$(cat)
[[ "$input" == *'"stop_hook_active":true'* ]] && exit 0
if [[ "$input" != *'"prompt_response":"Summary:'* ]]; then
  echo '{"decision":"deny","reason":"Begin your answer with Summary:"}'
fi
