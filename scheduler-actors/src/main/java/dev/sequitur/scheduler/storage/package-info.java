/**
 * What a queue keeps: its events as records of the journal, its state as cells of a checkpoint, and
 * the numbers of all that is in both ({@link dev.sequitur.scheduler.storage.StoredTypes}; decision
 * 0026). How a type is written follows from {@link dev.sequitur.encoding.Codecs}.
 */
package dev.sequitur.scheduler.storage;
