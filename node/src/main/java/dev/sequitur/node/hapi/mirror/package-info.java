/**
 * The mirror's view: what is asked of Hedera's mirror nodes over REST, answered from one queue.
 * {@link dev.sequitur.node.hapi.mirror.MirrorServer} opens it. It reads and changes nothing.
 */
package dev.sequitur.node.hapi.mirror;
