#!/usr/bin/env bash
echo 'checking the call'
echo '{"type":"proceed"}'
