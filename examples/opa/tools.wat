;; Stands in for what `opa build -t wasm` makes of tools.rego, so that the
;; example runs without OPA: it is called in the same way, and knows no more of
;; an input than whether it has ".env" in it.
(module
  (import "env" "memory" (memory 1))
  (global (export "opa_wasm_abi_version") i32 (i32.const 1))
  (global (export "opa_wasm_abi_minor_version") i32 (i32.const 3))
  (global $heap (mut i32) (i32.const 1024))

  (data (i32.const 16) "{}\00")
  (data (i32.const 32) "{\"tools/decision\":0}\00")
  (data (i32.const 64) "[{\"result\":{\"allow\":true}}]\00")
  (data (i32.const 128)
    "[{\"result\":{\"allow\":false,\"reason\":\"it is a secret\"}}]\00")

  (func (export "builtins") (result i32) (i32.const 16))
  (func (export "entrypoints") (result i32) (i32.const 32))
  (func (export "opa_json_parse") (param i32 i32) (result i32) (local.get 0))
  (func (export "opa_json_dump") (param i32) (result i32) (local.get 0))
  (func (export "opa_heap_ptr_get") (result i32) (global.get $heap))
  (func (export "opa_heap_ptr_set") (param i32)
    (global.set $heap (local.get 0)))
  (func (export "opa_malloc") (param $size i32) (result i32)
    (global.get $heap)
    (global.set $heap (i32.add (global.get $heap) (local.get $size))))

  (func (export "opa_eval")
    (param $reserved i32) (param $entrypoint i32) (param $data i32)
    (param $input i32) (param $length i32) (param $top i32) (param $format i32)
    (result i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $input) (local.get $length)))
    (loop $next
      ;; The four bytes of ".env", the last one first.
      (if (i32.eq (i32.load (local.get $input)) (i32.const 0x766e652e))
        (then (return (i32.const 128))))
      (local.set $input (i32.add (local.get $input) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $input) (local.get $end))))
    (i32.const 64)))
