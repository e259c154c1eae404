#!/usr/bin/env bash
exec 1>&- 2>&-
sleep 60
