/**
 * Backups of a node: all that it keeps, as it was at one moment, in a directory that other tools
 * carry away, and back from there into an empty store. {@link
 * dev.sequitur.persistence.backup.BackupDirectory} says what lies where.
 */
package dev.sequitur.persistence.backup;
