/**
 * The front for Hedera's own clients: its services over gRPC, for one queue of the profile {@code
 * current}. {@link dev.sequitur.node.hapi.HapiServer} opens it. How their messages are read and
 * written is in {@code scheduler.body}; what becomes of a transaction is decided by the queue.
 */
package dev.sequitur.node.hapi;
