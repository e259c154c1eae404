#!/usr/bin/env bash
echo '{"type":"reject","reason":"No."}'
exit 1
