/**
 * The engine of a node of several JVMs: {@link dev.sequitur.persistence.postgres.PostgresMap}, over
 * a table of the PostgreSQL that they share, with connections and the versions of its schema.
 */
package dev.sequitur.persistence.postgres;
