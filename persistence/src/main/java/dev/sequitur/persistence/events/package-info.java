/**
 * Events and snapshots of a node's entities: {@link dev.sequitur.persistence.events.MapJournal} and
 * {@link dev.sequitur.persistence.events.MapSnapshotStore} for Akka Persistence, both over the
 * {@link dev.sequitur.persistence.map.OrderedMap} of the engine that the node has.
 */
package dev.sequitur.persistence.events;
