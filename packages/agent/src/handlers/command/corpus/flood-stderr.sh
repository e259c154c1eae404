#!/usr/bin/env bash
yes 'a warning' | head -c 200000000 >&2
echo '{"type":"proceed"}'
