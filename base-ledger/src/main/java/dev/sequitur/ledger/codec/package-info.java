/**
 * The ledger's own bytes, on disk and between processes: big-endian, lengths before contents, a
 * version where a value stands alone. What these classes wrote once they must read for ever. No I/O
 * here. It is not the encoding of the schedule queues: lengths and numbers are of fixed width here,
 * because what is hashed and what strangers send has one form only.
 */
package dev.sequitur.ledger.codec;
