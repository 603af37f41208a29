/**
 * The engine of a node of one JVM: {@link dev.sequitur.persistence.leveldb.LevelDbMap}, over a
 * directory with group commit, and what a damaged or torn directory is told by.
 */
package dev.sequitur.persistence.leveldb;
