/** What all parts of a node need to count and measure with the Prometheus client. */
package dev.sequitur.cluster.metrics;
