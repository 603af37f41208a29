/**
 * How a node becomes an Akka cluster: configuration profiles, serialization and the journal. No
 * rules of the protocol.
 */
package dev.sequitur.cluster;
