/**
 * How values become bytes: {@link dev.sequitur.persistence.serialization.ProtocolCbor} between
 * nodes and on disk, {@link dev.sequitur.persistence.serialization.ProtocolJson} for people. What
 * the rules in {@code dev.sequitur.protocol} look like outside is told here, so that they carry no
 * annotation; what a module stores or sends under a name and a version is a {@link
 * dev.sequitur.persistence.serialization.Schema} that it contributes. It is CBOR with names, and
 * not the ledger's or the queues' bare bytes, so that nodes of different versions understand each
 * other.
 */
package dev.sequitur.persistence.serialization;
