/**
 * Starting and stopping what a process runs: nodes, ledgers, whole networks. The commands and the
 * demonstration see only {@link dev.sequitur.node.process.Starter}.
 */
package dev.sequitur.node.process;
