#!/usr/bin/env bash
exit 2
