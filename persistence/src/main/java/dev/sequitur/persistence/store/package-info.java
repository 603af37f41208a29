/**
 * The NodeStore port over the node's LevelDB or PostgreSQL: what its callers were promised, durable
 * when they are told. Knows no protocol rule but the port's own.
 */
package dev.sequitur.persistence.store;
