/**
 * Values as bytes, for all that is sent or stored: {@link dev.sequitur.encoding.Codecs} derives how
 * a record or a sealed interface is written from its type, so that a format is a list of numbers
 * and nothing more. Knows no message, no journal and no network; what was written is told by those
 * who write it.
 */
package dev.sequitur.encoding;
