#!/usr/bin/env bash
exec 0<&-
echo '{"type":"reject","reason":"No."}'
