#!/usr/bin/env bash
(setsid sleep 60 &)
echo '{"type":"proceed"}'
