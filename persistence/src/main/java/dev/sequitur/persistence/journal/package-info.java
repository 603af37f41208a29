/**
 * Events and snapshots of a node's entities: {@link dev.sequitur.persistence.journal.MapJournal}
 * and {@link dev.sequitur.persistence.journal.MapSnapshotStore} for Akka Persistence, both over the
 * {@link dev.sequitur.persistence.map.OrderedMap} of the engine that the node has.
 */
package dev.sequitur.persistence.journal;
