import type * as real from '@modelcontextprotocol/client'
import type { ClientPackage, Transport } from './client-package.ts'

// What is used of the package is there.
declare const given: typeof real
const used: ClientPackage = given
void used

// What carries our messages is a transport to it.
declare const transport: Transport
declare const client: real.Client
void client.connect(transport)
