#!/usr/bin/env bash
cat > /dev/null
echo '{"env": {"TEAM": "blue"}, "additional_context": "You work for the blue team."}'
