#!/usr/bin/env bash
yes 'because' | head -c 10000000 >&2
exit 2
