#!/bin/bash
cat >> "$CURSOR_PROJECT_DIR/.cursor/audit.log"
echo >> "$CURSOR_PROJECT_DIR/.cursor/audit.log"
