#!/usr/bin/env bash
kill -STOP $$
