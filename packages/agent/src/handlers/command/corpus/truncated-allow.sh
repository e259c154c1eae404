#!/usr/bin/env bash
printf '{"type":"proce'
