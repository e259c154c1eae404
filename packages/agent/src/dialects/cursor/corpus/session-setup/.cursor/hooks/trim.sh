#!/usr/bin/env bash
cat > /dev/null
echo '{"updated_mcp_tool_output": {"id": 7}, "additional_context": "The issue has the number 7."}'
