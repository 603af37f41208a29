/**
 * The client's command line. Each command asks a node, which may run anywhere, and prints what it
 * answers; none of them starts one.
 */
package dev.sequitur.client.command;
