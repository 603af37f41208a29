package dev.sequitur.protocol.schedule.family;

/** What a family must know of the queue beyond its schedules. */
public interface FamilyState {}
