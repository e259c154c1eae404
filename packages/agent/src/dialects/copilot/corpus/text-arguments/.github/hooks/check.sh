#!/usr/bin/env bash
# This one takes it as an object.
if grep -q '"toolArgs":{"command":"bash-says-no'; then
  echo '{"permissionDecision":"deny","permissionDecisionReason":"Bash says no."}'
fi
