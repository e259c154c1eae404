#!/usr/bin/env bash
if grep -qi 'ignore all previous instructions'; then
  echo "That looks like an injection." >&2
  exit 2
fi
