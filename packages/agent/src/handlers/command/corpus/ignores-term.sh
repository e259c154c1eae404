#!/usr/bin/env bash
trap '' TERM INT HUP
while :; do sleep 60; done
