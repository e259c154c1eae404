#!/usr/bin/env python3
start = '{"type":"proceed","note":"'
print(start + 'x' * (1_048_576 - len(start)) + '"}')
