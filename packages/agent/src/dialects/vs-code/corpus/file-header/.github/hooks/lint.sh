#!/usr/bin/env bash
input=$(cat)
if [[ "$input" == *"$LINT_WORD"* ]]; then
  echo "There is a $LINT_WORD left in the file." >&2
  exit 2
fi
