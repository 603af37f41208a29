/**
 * Privacy groups on an Ethereum chain: their contract, in Solidity and compiled, and the data of
 * its calls.
 */
package dev.sequitur.ethereum;
