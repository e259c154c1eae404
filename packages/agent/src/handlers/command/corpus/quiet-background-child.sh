#!/usr/bin/env bash
sleep 60 < /dev/null > /dev/null 2>&1 &
echo '{"type":"proceed"}'
