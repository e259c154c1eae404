#!/usr/bin/env bash
(trap '' TERM; setsid sleep 60 &)
setsid sleep 60 &
sleep 60
