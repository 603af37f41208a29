/**
 * Finds out who calls, and keeps what that needs: the file of tokens, the settings. What a caller
 * may do is decided by the rules in {@code protocol.guard}; {@code rpc.server} asks.
 */
package dev.sequitur.node.guard;
