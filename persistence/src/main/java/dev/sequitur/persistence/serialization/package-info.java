/**
 * How the sequencer's values become bytes: {@link
 * dev.sequitur.persistence.serialization.ProtocolFormat} between nodes and on disk. What a module
 * stores or sends under a name and a version is a {@link
 * dev.sequitur.persistence.serialization.Schema} that it contributes.
 */
package dev.sequitur.persistence.serialization;
