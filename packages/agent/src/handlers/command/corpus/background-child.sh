#!/usr/bin/env bash
sleep 60 &
echo '{"type":"proceed"}'
