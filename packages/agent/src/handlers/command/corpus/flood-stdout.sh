#!/usr/bin/env bash
yes 'a line of output that nobody asked for' | head -c 1000000000
