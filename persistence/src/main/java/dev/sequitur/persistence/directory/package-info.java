/** Directories of a process, and who may enter them. */
package dev.sequitur.persistence.directory;
