/** The hashes that the JDK does not have. Pure. */
package dev.sequitur.protocol.digest;
