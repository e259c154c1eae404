#!/usr/bin/env bash
input=$(cat)
file=$(sed -E 's/.*"file_path":"([^"]*)".*/\1/' <<<"$input")
echo "$(basename "$file")" >> .cursor/formatted.txt
