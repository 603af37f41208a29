/**
 * What the rules and the actors around them need from outside: the network, the base ledger, the
 * domains, the node's database, keys. Futures are completed by the implementation's threads; a
 * caller moves results to its own.
 */
package dev.sequitur.protocol.port;
