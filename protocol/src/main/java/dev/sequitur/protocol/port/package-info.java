/**
 * What the rules and the actors around them need from outside: the network, the base ledger, the
 * domains, the node's database, keys. Futures are completed by the implementation's threads; a
 * caller moves results to its own.
 *
 * <p>Beside the ports stands what all who implement or call one share: which transactions a node
 * takes ({@link dev.sequitur.protocol.port.IntentRules}), how events are numbered, several answers
 * as one.
 */
package dev.sequitur.protocol.port;
