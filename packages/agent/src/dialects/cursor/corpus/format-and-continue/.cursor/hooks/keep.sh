#!/usr/bin/env bash
cat >> .cursor/responses.jsonl
