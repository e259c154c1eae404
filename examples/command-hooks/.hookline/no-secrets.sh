# #region no-secrets
# The moment comes on the standard input; this one does not need it.
echo 'Secrets are written by people.' >&2
exit 2 # a veto
# #endregion
