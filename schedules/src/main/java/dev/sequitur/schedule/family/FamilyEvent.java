package dev.sequitur.schedule.family;

/** A durable change of a {@link FamilyState}. */
public interface FamilyEvent {}
