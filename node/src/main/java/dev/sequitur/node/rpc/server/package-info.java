/**
 * The JSON-RPC 2.0 endpoint of one node over HTTP and WebSocket, with its health and its metrics.
 * {@link dev.sequitur.node.rpc.server.RpcServer} opens it. What can be called stands in {@code
 * method}; nothing here decides anything about a transaction, the node does.
 *
 * <p>Whoever calls has a word for each thing that is known of it: a {@code CallerConnection} is
 * where it calls from, {@code Guard.Shown} the token or certificate that it shows, a {@code
 * Principal} who it is by that, a {@code Visit} all three of one request, an {@code RpcExchange}
 * what of it a method may know, and a {@code Call} one call with its parameters.
 */
package dev.sequitur.node.rpc.server;
