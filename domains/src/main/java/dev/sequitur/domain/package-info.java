/**
 * What the transactions of a privacy group mean: the shipped domains {@code token}, {@code record}
 * and {@code noto}, and {@link dev.sequitur.domain.Domains}, where others are added. What a domain
 * need not write itself is in {@link dev.sequitur.domain.CommitteeDomain}. No actors, no I/O, no
 * clock.
 */
package dev.sequitur.domain;
