#!/usr/bin/env bash
set -e
cat /dev/stdin > /dev/null
echo 'No pushing on Fridays.' > /dev/stderr
exit 2
