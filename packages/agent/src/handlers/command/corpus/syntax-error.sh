#!/usr/bin/env bash
if true; then
