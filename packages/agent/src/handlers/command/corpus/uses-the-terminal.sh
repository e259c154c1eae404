#!/usr/bin/env bash
if stty -echo < /dev/tty; then
  echo '{"type":"reject","reason":"No."}'
else
  echo '{"type":"proceed"}'
fi
