/**
 * The process: main, command line, JSON-RPC, health and metrics. The one place where everything
 * meets.
 */
package dev.sequitur.node;
