/**
 * The rules of the sender of one contract: keep each intent with exactly one coordinator until it
 * is confirmed or ended (SND-2). Durable are failed attempts and what is parked; where a
 * transaction stands is in memory only. Begin with {@link dev.sequitur.protocol.sender.Sender}.
 */
package dev.sequitur.protocol.sender;
