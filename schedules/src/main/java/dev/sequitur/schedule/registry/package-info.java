/**
 * Which families there are: the one room of the rules that knows them all. Begin with {@link
 * dev.sequitur.schedule.registry.FamilyTypes}.
 */
package dev.sequitur.schedule.registry;
