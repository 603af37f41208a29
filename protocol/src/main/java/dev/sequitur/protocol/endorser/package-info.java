/**
 * The rules of the endorser: check who asks, then let the domain decide. Knows nothing durable.
 * Begin with {@link dev.sequitur.protocol.endorser.Endorser}.
 */
package dev.sequitur.protocol.endorser;
