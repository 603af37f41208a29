/**
 * What two programs need to know each other over a network: where something listens, and beneath it
 * who may hold a connection ({@code admission}), by which certificates ({@code tls}), and which of
 * their files have changed ({@code file}). A program that only calls a node has it too, so that no
 * actor and no store is in it.
 */
package dev.sequitur.links;
