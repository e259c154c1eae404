#!/usr/bin/env bash
input=$(cat)
if [[ "$input" == *"password="* ]]; then
  echo '{"modifiedResult":{"resultType":"success","textResultForLlm":"password=***"},"additionalContext":"A password was removed."}'
fi
