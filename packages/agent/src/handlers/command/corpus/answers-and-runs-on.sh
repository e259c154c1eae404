#!/usr/bin/env bash
echo '{"type":"proceed"}'
sleep 60
