/**
 * The rules of the submitter of one signing key: commit each dispatch with its nonce, put it on the
 * base ledger once, tell who waits. Everything that was committed survives a restart. Begin with
 * {@link dev.sequitur.protocol.submitter.Submitter}.
 */
package dev.sequitur.protocol.submitter;
