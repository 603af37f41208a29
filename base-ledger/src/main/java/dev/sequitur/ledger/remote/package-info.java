/**
 * The ledger as a process of its own: {@link dev.sequitur.ledger.remote.LedgerServer} in it, {@link
 * dev.sequitur.ledger.remote.RemoteLedger} in every node. HTTP with the ledger's own bytes as
 * bodies; nobody else is meant to speak it.
 */
package dev.sequitur.ledger.remote;
