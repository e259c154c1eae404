#!/usr/bin/env bash
grep -q '"title":"spam"' && { echo "No spam." >&2; exit 2; }
echo '{}'
