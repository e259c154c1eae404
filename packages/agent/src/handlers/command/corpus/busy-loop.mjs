#!/usr/bin/env node
for (;;);
