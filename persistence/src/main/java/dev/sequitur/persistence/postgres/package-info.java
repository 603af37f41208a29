/**
 * The PostgreSQL that the JVMs of one node share: connections, and the versions of its schema. What
 * callers were promised is in {@code dev.sequitur.persistence.store}.
 */
package dev.sequitur.persistence.postgres;
