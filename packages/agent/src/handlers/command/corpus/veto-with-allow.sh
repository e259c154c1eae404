#!/usr/bin/env bash
echo '{"type":"proceed"}'
echo 'Not today.' >&2
exit 2
