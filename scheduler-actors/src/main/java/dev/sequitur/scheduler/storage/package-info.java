/**
 * What a queue keeps: its events as records of the journal, its state as cells of a checkpoint, and
 * the compact encoding of both ({@link dev.sequitur.scheduler.storage.Codecs}; decision 0026).
 */
package dev.sequitur.scheduler.storage;
