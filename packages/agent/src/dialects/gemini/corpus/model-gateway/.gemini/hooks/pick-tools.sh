#!/usr/bin/env bash
input=$(cat)
if [[ "$input" == *"only look"* ]]; then
  echo '{"hookSpecificOutput":{"hookEventName":"BeforeToolSelection","toolConfig":{"mode":"AUTO","allowedFunctionNames":["read_file","glob"]}}}'
fi
