/**
 * What durable listeners are told of, pushed over a WebSocket: each subscription is an actor that
 * keeps one batch on its way and goes on when it is acknowledged. Nobody wakes it: it looks again
 * and again into the {@link dev.sequitur.node.rpc.method.ListenerFeed} of its kind, which reads the
 * node store or the ledger. What it does next is decided in {@code protocol.listener}.
 */
package dev.sequitur.node.rpc.listener;
