/**
 * The front for Hedera's clients under load. {@link dev.sequitur.benchmarks.hapi.HapiRate} is what
 * {@code benchmarks/run hapi} runs.
 */
package dev.sequitur.benchmarks.hapi;
