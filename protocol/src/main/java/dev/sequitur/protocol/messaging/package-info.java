/**
 * The rules of what members of a group tell each other on one node: what is taken from callers and
 * from other nodes, and the delivery to each of them, in order and once. Begin with {@link
 * dev.sequitur.protocol.messaging.MessageBook}.
 */
package dev.sequitur.protocol.messaging;
