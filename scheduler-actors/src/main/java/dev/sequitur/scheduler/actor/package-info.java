/**
 * The actors of the schedule queues. Begin with {@link dev.sequitur.scheduler.actor.QueueActor}:
 * one queue; {@link dev.sequitur.scheduler.actor.QueueDecider} decides what it has gathered, {@link
 * dev.sequitur.scheduler.actor.QueueMachine} stores that, {@link
 * dev.sequitur.schedule.attempt.Attempts} carries out what answers later.
 */
package dev.sequitur.scheduler.actor;
