/**
 * The PostgreSQL that the JVMs of one node share: connections, the versions of its schema, and the
 * lease that decides a split. What callers were promised is in {@code dev.sequitur.cluster.store}.
 */
package dev.sequitur.cluster.postgres;
