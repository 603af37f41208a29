/**
 * Every message of the specification, one record each, with the fields that the decisions add; and
 * the envelope that carries them. {@link dev.sequitur.protocol.message.Message} is the place to
 * begin. Ours, and outside the specification's exchanges, are {@code ResolveVerifier…} and {@code
 * Trace…}.
 */
package dev.sequitur.protocol.message;
