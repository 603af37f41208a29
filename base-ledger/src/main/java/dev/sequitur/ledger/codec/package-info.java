/**
 * The ledger's own bytes, on disk and between processes: big-endian, lengths before contents, a
 * version where a value stands alone. What these classes wrote once they must read for ever. No I/O
 * here.
 */
package dev.sequitur.ledger.codec;
