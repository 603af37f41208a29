/**
 * A private transaction on its way: the intent, what its assembly adds, what is prepared for the
 * base ledger, and what becomes of it.
 */
package dev.sequitur.protocol.transaction;
