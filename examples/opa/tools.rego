# #region tools-rego
package tools

import rego.v1

default decision := {"allow": false, "reason": "only files may be read"}

decision := {"allow": true} if {
	input.safety == "read_only"
	is_string(input.args.path)
	not secret
}

decision := {"allow": false, "reason": "it is a secret"} if secret

secret if endswith(input.args.path, ".env")
# #endregion
