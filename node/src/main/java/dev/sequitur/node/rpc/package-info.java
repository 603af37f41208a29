/**
 * JSON-RPC of one node. Here is what all packages below speak of: the settings, the codes of what
 * can go wrong, and the failure that carries one. {@code server} opens the endpoint, {@code method}
 * and {@code schedule} hold what can be called.
 */
package dev.sequitur.node.rpc;
