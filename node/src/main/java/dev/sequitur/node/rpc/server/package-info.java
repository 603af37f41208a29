/**
 * The JSON-RPC 2.0 endpoint of one node over HTTP and WebSocket, with its health and its metrics.
 * {@link dev.sequitur.node.rpc.server.RpcServer} opens it. What can be called stands in {@code
 * method}; nothing here decides anything about a transaction, the node does.
 */
package dev.sequitur.node.rpc.server;
