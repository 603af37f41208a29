/** JMH benchmarks and loads of the whole system. Nothing here is a timed test. */
package dev.sequitur.benchmarks;
