/**
 * A node's directory of durable data: {@link dev.sequitur.persistence.journal.LevelDb} with group
 * commit, the keys of all that is kept, and what a damaged or torn directory is told by.
 */
package dev.sequitur.persistence.journal;
