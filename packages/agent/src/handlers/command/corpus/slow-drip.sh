#!/usr/bin/env bash
while :; do
  printf ' '
  sleep 0.1
done
