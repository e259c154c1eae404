#!/usr/bin/env python3
import argparse

parser = argparse.ArgumentParser()
parser.add_argument('file')
parser.parse_args()
