echo '{"type":"proceed"}'
