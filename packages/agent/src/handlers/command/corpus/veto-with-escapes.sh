#!/usr/bin/env bash
printf '\033[31mNo\033[0m \033]8;;http://x\007way\a\u202e.' >&2
exit 2
