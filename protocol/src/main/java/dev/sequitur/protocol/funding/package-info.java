/**
 * The money that a node's keys pay for gas with: watched, topped up from one funding account, and
 * told of before it is used up. Rules without threads.
 */
package dev.sequitur.protocol.funding;
