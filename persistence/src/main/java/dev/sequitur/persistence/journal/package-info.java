/**
 * A node's directory of durable data: {@link dev.sequitur.persistence.journal.LevelDb} with group
 * commit, the keys of all that is kept, and what a damaged or torn directory is told by. The
 * journal of events is one of the things in it, and stands in {@code events}.
 */
package dev.sequitur.persistence.journal;
