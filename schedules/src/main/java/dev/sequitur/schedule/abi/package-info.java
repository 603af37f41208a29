/**
 * The little of Solidity's ABI encoding that ids and data of plan executions need: one tuple of
 * words and byte strings. Begin with {@link dev.sequitur.schedule.abi.AbiEncoding}.
 */
package dev.sequitur.schedule.abi;
