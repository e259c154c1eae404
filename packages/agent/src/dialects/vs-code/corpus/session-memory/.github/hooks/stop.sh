#!/usr/bin/env bash
input=$(cat)
if [[ "$input" == *'"stop_hook_active":false'* ]]; then
  echo '{"hookSpecificOutput":{"hookEventName":"Stop","decision":"block","reason":"Write down what you have learned in notes.txt."}}'
fi
