/**
 * What a queue keeps: its events as records of the journal, its state as cells of a checkpoint, and
 * the compact encoding of both ({@link dev.sequitur.scheduler.storage.Codecs}; decision 0026). It
 * has its own reader and writer, because it needs short numbers and names that are written once,
 * which neither the ledger's fixed widths nor CBOR have.
 */
package dev.sequitur.scheduler.storage;
