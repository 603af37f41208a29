/**
 * Which families there are: the one room of the rules that knows them all. Begin with {@link
 * dev.sequitur.protocol.schedule.registry.FamilyTypes}.
 */
package dev.sequitur.protocol.schedule.registry;
