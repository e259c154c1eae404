#!/usr/bin/env bash
echo '{"type":"proceed"}'
echo '{"type":"proceed"}'
