/**
 * Identifiers and quantities of the protocol as types, so that no naked string or long travels. May
 * use the JDK only.
 */
package dev.sequitur.protocol.id;
