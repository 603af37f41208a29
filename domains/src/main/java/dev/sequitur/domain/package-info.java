/**
 * What the transactions of a privacy group mean: the shipped domains {@code token} and {@code
 * record}, and {@link dev.sequitur.domain.Domains}, where others are added. No actors, no I/O, no
 * clock.
 */
package dev.sequitur.domain;
