#!/usr/bin/env bash
rm -- "$0"
echo '{"type":"proceed"}'
