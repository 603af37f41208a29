/**
 * The families of schedules: what each specification says of admission, due order, price and
 * settlement, as pure functions. Everything that all share is the queue's. Begin with {@link
 * dev.sequitur.protocol.schedule.family.Family}.
 */
package dev.sequitur.protocol.schedule.family;
