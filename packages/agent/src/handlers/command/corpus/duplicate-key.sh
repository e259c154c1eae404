#!/usr/bin/env bash
echo '{"type":"reject","reason":"No.","type":"proceed"}'
