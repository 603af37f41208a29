/**
 * An Ethereum chain as base ledger: {@link dev.sequitur.ethereum.EthereumLedger} over {@link
 * dev.sequitur.ethereum.ChainRpc}, the JSON-RPC of the chain's nodes; the contract of a privacy
 * group, in Solidity and compiled, and the data of its calls; what puts contracts on a chain; and
 * the plan contract that schedules serve. Decides nothing about a transaction.
 */
package dev.sequitur.ethereum;
