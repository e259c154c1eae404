#!/usr/bin/env bash
exec yes
