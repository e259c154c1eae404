#!/usr/bin/env bash
echo '{"type":"proceed","__proto__":{"isAdmin":true}}'
