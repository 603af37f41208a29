/**
 * The money of one queue: a double-entry book of accounts and holds. Begin with {@link
 * dev.sequitur.schedule.book.Book}.
 */
package dev.sequitur.schedule.book;
