#!/usr/bin/env bash
rm -r -- "$PWD"
echo '{"type":"proceed"}'
