#!/usr/bin/env bash
head -c 2000000 /dev/zero
echo 'Too much, and no.' >&2
exit 2
