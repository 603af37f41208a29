/**
 * What a transaction takes of a node of several JVMs, each a process, and what follows for more.
 */
package dev.sequitur.benchmarks.cluster;
