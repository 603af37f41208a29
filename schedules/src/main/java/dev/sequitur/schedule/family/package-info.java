/**
 * What a family of schedules is to the engine: what it is asked of admission, due order, price and
 * settlement, and what it may have the engine do. Begin with {@link
 * dev.sequitur.schedule.family.Family}. Each family stands in a room of its own; nothing here knows
 * which there are.
 */
package dev.sequitur.schedule.family;
