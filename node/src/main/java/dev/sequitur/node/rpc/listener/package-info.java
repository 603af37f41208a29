/**
 * What durable listeners are told of, pushed over a WebSocket: each subscription is an actor that
 * keeps one batch on its way and goes on when it is acknowledged.
 */
package dev.sequitur.node.rpc.listener;
