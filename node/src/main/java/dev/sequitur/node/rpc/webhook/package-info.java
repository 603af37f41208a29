/**
 * Sends what happens in schedule queues to webhooks: one of the node's JVMs does it for all, by
 * what {@link dev.sequitur.protocol.listener.Delivering} decides for each. It dials only addresses
 * that the operator allows.
 */
package dev.sequitur.node.rpc.webhook;
