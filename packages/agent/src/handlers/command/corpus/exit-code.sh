#!/usr/bin/env bash
echo '{"type":"proceed"}'
echo 'It went wrong.' >&2
exit "$1"
