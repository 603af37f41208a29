/**
 * What can be called: each method with its parameters and its sentence of documentation in one
 * table, {@link dev.sequitur.node.rpc.method.MethodTable}, that the reference page is made from.
 */
package dev.sequitur.node.rpc.method;
