#!/usr/bin/env bash
cat > /dev/null
echo '{"type":"reject","reason":"No."}'
