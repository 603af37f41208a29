/**
 * What a node that is one JVM keeps on its disk: {@link
 * dev.sequitur.persistence.journal.GroupCommitJournal} and {@link
 * dev.sequitur.persistence.journal.LevelDbSnapshotStore} for Akka Persistence, both over one {@link
 * dev.sequitur.persistence.journal.LevelDb} that the node store shares.
 *
 * <p>Here live bytes, files and the writer thread. What an event means is none of this package's
 * business.
 */
package dev.sequitur.persistence.journal;
