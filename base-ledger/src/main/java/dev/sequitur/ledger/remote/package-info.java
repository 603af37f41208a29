/**
 * The ledger as a process of its own: {@link dev.sequitur.ledger.remote.LedgerServer} in it, {@link
 * dev.sequitur.ledger.remote.RemoteLedger} in every node. HTTP with the ledger's own bytes as
 * bodies; nobody else is meant to speak it. What a client can take of the server is bounded.
 */
package dev.sequitur.ledger.remote;
