/** How the ledger's values become bytes. */
package dev.sequitur.ledger.codec;
