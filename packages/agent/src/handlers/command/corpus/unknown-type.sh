#!/usr/bin/env bash
echo '{"type":"allow"}'
